import CommandSupport
import Foundation
import Synchronization

/// Follows a running search through the gateway's event stream, and by polling while the stream is silent.
struct SearchFollower: Sendable {
    /// How long the stream may be silent before the search is polled, and the time between polls.
    static let pollInterval = Duration.seconds(1)

    private typealias Events = AsyncStream<SearchWatch.Event>.Continuation

    let api: ConcertSearchAPI
    let timeout: Duration
    let interruption: Interruption

    /// - Parameter draw: called with each change, and ten times a second.
    /// - Returns: why following ended, and the last known status.
    func follow(
        _ status: SearchStatus, draw: @Sendable (SearchStatus) -> Void
    ) async -> (end: FollowingEnd, status: SearchStatus) {
        let (stream, events) = AsyncStream.makeStream(of: SearchWatch.Event.self)
        let silence = Silence()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await listen(to: status.id, yieldingTo: events, silence: silence) }
            group.addTask { await poll(status.id, yieldingTo: events, silence: silence) }
            group.addTask { await tick(yieldingTo: events) }
            group.addTask {
                for await signal in interruption.signals { events.yield(.interrupt(signal)) }
            }
            defer { group.cancelAll() }
            var watch = SearchWatch(status)
            for await event in stream {
                switch watch.handle(event, at: .now) {
                case .nothing: break
                case .draw: draw(watch.status)
                case .end(let end): return (end, watch.status)
                }
            }
            return (.over, watch.status)
        }
    }

    /// Reads the event stream until the task is cancelled.
    private func listen(to id: String, yieldingTo events: Events, silence: Silence) async {
        await api.client.followEvents(pause: Self.pollInterval) { input in
            switch input {
            case .opened: await ask(for: id, yieldingTo: events)
            case .events(let received):
                silence.end()
                for event in received where event.name == "concertSearch" {
                    guard let status = try? ConcertSearchAPI.status(from: Data(event.data.utf8)) else { continue }
                    events.yield(.status(status))
                }
            }
        }
    }

    private func poll(_ id: String, yieldingTo events: Events, silence: Silence) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pollInterval)
            if silence.length >= Self.pollInterval { await ask(for: id, yieldingTo: events) }
        }
    }

    private func ask(for id: String, yieldingTo events: Events) async {
        do {
            events.yield(.status(try await api.status(of: id)))
        } catch {
            if !Task.isCancelled { events.yield(.failure(error)) }
        }
    }

    private func tick(yieldingTo events: Events) async {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while !Task.isCancelled, .now < deadline {
            events.yield(.tick)
            try? await Task.sleep(until: min(deadline, .now.advanced(by: .milliseconds(100))))
        }
        events.yield(.timeout)
    }
}

/// The time since the last bytes of the event stream.
private final class Silence: Sendable {
    private let start = Mutex(ContinuousClock.now)

    func end() { start.withLock { $0 = .now } }

    var length: Duration { start.withLock { $0.duration(to: .now) } }
}
