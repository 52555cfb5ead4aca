import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// Follows a running search: through the gateway's event stream, and by asking while the stream says nothing.
struct SearchFollower: Sendable {
    /// The silence of the stream after which the search is asked for.
    static let pollInterval = Duration.seconds(1)

    private typealias News = AsyncStream<SearchWatch.Event>.Continuation

    let api: ConcertSearchAPI
    let timeout: Duration
    let interruption: Interruption

    /// - Parameter draw: called with each change, and often enough for a running clock.
    /// - Returns: why the following ended, and what was known then.
    func follow(
        _ status: SearchStatus, draw: @Sendable (SearchStatus) -> Void
    ) async -> (end: SearchWatch.End, status: SearchStatus) {
        let (events, news) = AsyncStream.makeStream(of: SearchWatch.Event.self)
        let silence = Silence()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await listen(to: status.id, telling: news, silence: silence) }
            group.addTask { await poll(status.id, telling: news, silence: silence) }
            group.addTask { await tick(telling: news) }
            group.addTask {
                for await signal in interruption.signals { news.yield(.interrupt(signal)) }
            }
            defer { group.cancelAll() }
            var watch = SearchWatch(status)
            for await event in events {
                switch watch.handle(event, at: .now) {
                case .nothing: break
                case .draw: draw(watch.status)
                case .end(let end): return (end, watch.status)
                }
            }
            return (.over, watch.status)
        }
    }

    /// Listens to the event stream, and connects again when it breaks, until the task is cancelled.
    private func listen(to id: String, telling news: News, silence: Silence) async {
        var parser = ServerSentEventParser()
        while !Task.isCancelled {
            do {
                let body = try await api.client.events(after: parser.lastEventID)
                parser = ServerSentEventParser(lastEventID: parser.lastEventID)
                // What happened before the stream was open is not in it.
                await ask(for: id, telling: news)
                for try await buffer in body {
                    silence.isBroken()
                    for event in try parser.feed(buffer.readableBytesView) where event.name == "concertSearch" {
                        guard let status = try? ConcertSearchAPI.status(from: Data(event.data.utf8)) else { continue }
                        news.yield(.status(status))
                    }
                }
            } catch {
                // Asking goes on, and says so when the gateway is away.
            }
            try? await Task.sleep(for: parser.retryDelay ?? Self.pollInterval)
        }
    }

    private func poll(_ id: String, telling news: News, silence: Silence) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pollInterval)
            if silence.length >= Self.pollInterval { await ask(for: id, telling: news) }
        }
    }

    private func ask(for id: String, telling news: News) async {
        do {
            news.yield(.status(try await api.status(of: id)))
        } catch {
            if !Task.isCancelled { news.yield(.failure(error)) }
        }
    }

    private func tick(telling news: News) async {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while !Task.isCancelled, .now < deadline {
            news.yield(.tick)
            try? await Task.sleep(until: min(deadline, .now.advanced(by: .milliseconds(100))))
        }
        news.yield(.timeout)
    }
}

/// How long the event stream has said nothing.
private final class Silence: Sendable {
    private let start = Mutex(ContinuousClock.now)

    func isBroken() { start.withLock { $0 = .now } }

    var length: Duration { start.withLock { $0.duration(to: .now) } }
}
