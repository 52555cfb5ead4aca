import AsyncHTTPClient
import Foundation
import NIOCore

/// Follows jobs: through the gateway's event stream, and by asking while the stream says nothing.
struct JobsFollower: Sendable {
    /// Between two questions while the stream says nothing.
    static let pollInterval = Duration.seconds(2)

    private typealias Events = AsyncStream<JobsWatch.Event>

    let api: JobAPI
    let timeout: Duration?
    let interruption: Interruption

    /// - Parameter tell: called with each change.
    /// - Returns: why the following ended, and what was known then.
    func follow(
        _ target: JobsWatch.Target, tell: ([JobNews], JobsWatch) throws -> Void
    ) async throws -> (end: JobsWatch.End, watch: JobsWatch) {
        let (events, news) = Events.makeStream(of: JobsWatch.Event.self)
        let listeners = [
            Task { await listen(telling: news) },
            Task { await remind(telling: news) },
            Task { for await signal in interruption.signals { news.yield(.interrupt(signal)) } },
        ]
        defer { for listener in listeners { listener.cancel() } }
        var watch = JobsWatch(target)
        for await event in events {
            var (changes, next) = watch.handle(event, at: .now)
            try tell(changes, watch)
            if next == .look {
                (changes, next) = watch.handle(await look(for: target, open: watch.open), at: .now)
                try tell(changes, watch)
            }
            if case .end(let end) = next { return (end, watch) }
        }
        return (.over, watch)
    }

    private func look(for target: JobsWatch.Target, open: [String]) async -> JobsWatch.Event {
        do {
            var found: [JobNews] = []
            if case .all(let kind) = target { found = try await api.unfinished(kind: kind) }
            let seen = Set(found.map(\.job.id))
            for id in open where !seen.contains(id) { found.append(try await api.job(id)) }
            return .looked(found)
        } catch {
            return .failure(error)
        }
    }

    /// Listens to the event stream, and connects again when it breaks, until the task is cancelled.
    private func listen(telling news: Events.Continuation) async {
        var parser = ServerSentEventParser()
        while !Task.isCancelled {
            do {
                let body = try await api.client.events(after: parser.lastEventID)
                parser = ServerSentEventParser(lastEventID: parser.lastEventID)
                // What happened before the stream was open is not in it.
                news.yield(.uncertain)
                for try await buffer in body {
                    for event in try parser.feed(buffer.readableBytesView) {
                        switch event.name {
                        case "job":
                            if let job = try? JobNews(json: Data(event.data.utf8)) { news.yield(.job(job)) }
                        case "reset": news.yield(.uncertain)
                        default: break  // progress, and other domains
                        }
                    }
                }
            } catch {
                // Asking goes on, and says so when the gateway is away.
            }
            try? await Task.sleep(for: parser.retryDelay ?? Self.pollInterval)
        }
    }

    private func remind(telling news: Events.Continuation) async {
        let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
        while !Task.isCancelled {
            let next = ContinuousClock.now.advanced(by: Self.pollInterval)
            try? await Task.sleep(until: deadline.map { min($0, next) } ?? next)
            if let deadline, ContinuousClock.now >= deadline {
                news.yield(.timeout)
                return
            }
            news.yield(.uncertain)
        }
    }
}
