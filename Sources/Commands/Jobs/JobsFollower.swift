import CommandSupport

/// Follows jobs through the gateway's event stream, and by polling while the stream is silent.
struct JobsFollower: Sendable {
    private typealias Events = AsyncStream<JobsWatch.Event>

    let api: JobAPI
    let timeout: Duration?
    let interruption: Interruption

    /// - Parameter report: called with the changes, and with the state of all jobs.
    /// - Returns: why following ended, and the last state.
    func follow(
        _ target: JobsWatch.Target, report: ([JobDocument], JobsWatch) throws -> Void
    ) async throws -> (end: FollowingEnd, watch: JobsWatch) {
        let (events, continuation) = Events.makeStream(of: JobsWatch.Event.self)
        let listeners = [
            Task { await listen(yieldingTo: continuation) },
            Task { await schedulePolls(yieldingTo: continuation) },
            Task { for await signal in interruption.signals { continuation.yield(.interrupt(signal)) } },
        ]
        defer { for listener in listeners { listener.cancel() } }
        var watch = JobsWatch(target)
        for await event in events {
            var (changes, next) = watch.handle(event, at: .now)
            try report(changes, watch)
            if next == .poll {
                (changes, next) = watch.handle(await poll(for: target, open: watch.open), at: .now)
                try report(changes, watch)
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
        await api.client.followEvents(named: "job") { data in
            if let job = try? JobDocument(json: data) { events.yield(.job(job)) }
        } uncertain: {
            events.yield(.uncertain)
        }
    }

    private func schedulePolls(yieldingTo events: Events.Continuation) async {
        await PollReminders(timeout: timeout).run {
            events.yield(.uncertain)
        } timedOut: {
            events.yield(.timeout)
        }
    }
}
