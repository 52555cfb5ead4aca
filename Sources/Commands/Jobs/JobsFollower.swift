import Foundation

/// Follows jobs through the gateway's event stream, and by polling while the stream is silent.
struct JobsFollower: Sendable {
    /// The time between two polls, and before the stream is opened again.
    static let pollInterval = Duration.seconds(2)

    private typealias Events = AsyncStream<JobsWatch.Event>

    let api: JobAPI
    let timeout: Duration?
    let interruption: Interruption

    /// - Parameter tell: called with the changes, and with the state of all jobs.
    /// - Returns: why following ended, and the last state.
    func follow(
        _ target: JobsWatch.Target, tell: ([JobDocument], JobsWatch) throws -> Void
    ) async throws -> (end: JobsWatch.End, watch: JobsWatch) {
        let (events, continuation) = Events.makeStream(of: JobsWatch.Event.self)
        let listeners = [
            Task { await listen(yieldingTo: continuation) },
            Task { await remind(yieldingTo: continuation) },
            Task { for await signal in interruption.signals { continuation.yield(.interrupt(signal)) } },
        ]
        defer { for listener in listeners { listener.cancel() } }
        var watch = JobsWatch(target)
        for await event in events {
            var (changes, next) = watch.handle(event, at: .now)
            try tell(changes, watch)
            if next == .poll {
                (changes, next) = watch.handle(await poll(for: target, open: watch.open), at: .now)
                try tell(changes, watch)
            }
            if case .end(let end) = next { return (end, watch) }
        }
        return (.over, watch)
    }

    private func poll(for target: JobsWatch.Target, open: [String]) async -> JobsWatch.Event {
        do {
            var found: [JobDocument] = []
            if case .all(let kind) = target { found = try await api.unfinished(kind: kind) }
            let seen = Set(found.map(\.job.id))
            for id in open where !seen.contains(id) { found.append(try await api.job(id)) }
            return .polled(found)
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
                    case "job":
                        if let job = try? JobDocument(json: Data(event.data.utf8)) { events.yield(.job(job)) }
                    case "reset": events.yield(.uncertain)
                    default: break  // progress, and events of other domains
                    }
                }
            }
        }
    }

    /// Asks for a poll every ``pollInterval``, and ends at the timeout.
    private func remind(yieldingTo events: Events.Continuation) async {
        let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
        while !Task.isCancelled {
            let next = ContinuousClock.now.advanced(by: Self.pollInterval)
            try? await Task.sleep(until: deadline.map { min($0, next) } ?? next)
            if let deadline, ContinuousClock.now >= deadline {
                events.yield(.timeout)
                return
            }
            events.yield(.uncertain)
        }
    }
}
