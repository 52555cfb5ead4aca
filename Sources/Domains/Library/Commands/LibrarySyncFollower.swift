import CommandSupport

/// Follows a sync through the gateway's event stream, and by polling while the stream is silent.
struct LibrarySyncFollower: Sendable {
    private typealias Events = AsyncStream<LibrarySyncWatch.Event>

    let api: LibraryAPI
    let timeout: Duration?
    let interruption: Interruption

    /// - Parameters:
    ///   - id: the sync that was requested.
    ///   - report: called with each change of that sync and of one that it waits for, including the end.
    /// - Returns: why following ended, and the last status.
    func follow(
        _ id: String, report: (LibrarySyncStatus) throws -> Void
    ) async throws -> (end: FollowingEnd, document: LibrarySyncDocument?) {
        let (events, continuation) = Events.makeStream(of: LibrarySyncWatch.Event.self)
        let listeners = [
            Task { await listen(yieldingTo: continuation) },
            Task { await schedulePolls(yieldingTo: continuation) },
            Task { for await signal in interruption.signals { continuation.yield(.interrupt(signal)) } },
        ]
        defer { for listener in listeners { listener.cancel() } }
        var watch = LibrarySyncWatch(id)
        for await event in events {
            var next = watch.handle(event, at: .now)
            if next == .poll { next = watch.handle(await poll(), at: .now) }
            if next == .show || next == .end(.over), let status = watch.shown { try report(status) }
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
        await api.client.followEvents(named: "librarySync") { data in
            if let document = try? LibrarySyncDocument(json: data) { events.yield(.status(document)) }
        } uncertain: {
            events.yield(.uncertain)
        }
    }

    /// Asks for a poll at once, too.
    private func schedulePolls(yieldingTo events: Events.Continuation) async {
        events.yield(.uncertain)
        await PollReminders(timeout: timeout).run {
            events.yield(.uncertain)
        } timedOut: {
            events.yield(.timeout)
        }
    }
}
