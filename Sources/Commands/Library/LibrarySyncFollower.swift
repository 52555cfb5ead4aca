import Foundation

/// Follows a sync through the gateway's event stream, and by polling while the stream is silent.
struct LibrarySyncFollower: Sendable {
    /// The time between two polls, and before the stream is opened again.
    static let pollInterval = Duration.seconds(2)

    private typealias Events = AsyncStream<LibrarySyncWatch.Event>

    let api: LibraryAPI
    let timeout: Duration?
    let interruption: Interruption

    /// - Parameters:
    ///   - id: the sync that was requested.
    ///   - tell: called with each change of that sync and of one that it waits for, including the end.
    /// - Returns: why following ended, and the last status.
    func follow(
        _ id: String, tell: (LibrarySyncStatus) throws -> Void
    ) async throws -> (end: LibrarySyncWatch.End, document: LibrarySyncDocument?) {
        let (events, continuation) = Events.makeStream(of: LibrarySyncWatch.Event.self)
        let listeners = [
            Task { await listen(yieldingTo: continuation) },
            Task { await remind(yieldingTo: continuation) },
            Task { for await signal in interruption.signals { continuation.yield(.interrupt(signal)) } },
        ]
        defer { for listener in listeners { listener.cancel() } }
        var watch = LibrarySyncWatch(id)
        for await event in events {
            var next = watch.handle(event, at: .now)
            if next == .poll { next = watch.handle(await poll(), at: .now) }
            if next == .show || next == .end(.over), let status = watch.shown { try tell(status) }
            if case .end(let end) = next { return (end, watch.document) }
        }
        return (.over, watch.document)
    }

    private func poll() async -> LibrarySyncWatch.Event {
        do {
            return .status(try await api.latestSync())
        } catch {
            return .failure(error)
        }
    }

    /// Reads the event stream until the task is cancelled.
    private func listen(yieldingTo events: Events.Continuation) async {
        await api.client.followEvents(pause: Self.pollInterval) { input in
            switch input {
            case .opened: events.yield(.uncertain)
            case .events(let received):
                for event in received {
                    switch event.name {
                    case "librarySync":
                        if let document = try? LibrarySyncDocument(json: Data(event.data.utf8)) {
                            events.yield(.status(document))
                        }
                    case "reset": events.yield(.uncertain)
                    default: break  // events of other domains
                    }
                }
            }
        }
    }

    /// Asks for a poll at once and every ``pollInterval``, and ends at the timeout.
    private func remind(yieldingTo events: Events.Continuation) async {
        let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
        while !Task.isCancelled {
            events.yield(.uncertain)
            let next = ContinuousClock.now.advanced(by: Self.pollInterval)
            try? await Task.sleep(until: deadline.map { min($0, next) } ?? next)
            if let deadline, ContinuousClock.now >= deadline {
                events.yield(.timeout)
                return
            }
        }
    }
}
