import Contracts
import Model
import Synchronization

/// Wakes those who wait for jobs: held requests and event streams.
///
/// A wake-up says only that there may be something new; the truth is read from the database.
package final class JobEvents: Sendable {
    /// A waiter belongs to the request that waits; its end removes it from here.
    private struct WeakWaiter {
        weak var waiter: JobWaiter?
    }

    private struct State {
        var waiters: [String: [Int: WeakWaiter]] = [:]
        var streams: [String: [Int: JobEventStream.Mailbox]] = [:]
        var nextID = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for the end of a job; made before the job is submitted, so that its end cannot be missed.
    package func waiter(forJob id: String) -> JobWaiter {
        state.withLock { state in
            state.nextID += 1
            let token = state.nextID
            let waiter = JobWaiter { [weak self] in self?.forget(waiter: token, jobID: id) }
            if state.isClosed {
                waiter.signal()
            } else {
                state.waiters[id, default: [:]][token] = WeakWaiter(waiter: waiter)
            }
            return waiter
        }
    }

    /// Waits until any system job changed, which may concern anybody.
    package func waiterForSystemJobs() -> JobWaiter {
        waiter(forJob: SystemUser.id)
    }

    /// Signals about one user's rows.
    package func stream(userID: String) -> JobEventStream {
        let token = state.withLock { state -> Int in
            state.nextID += 1
            return state.nextID
        }
        let stream = JobEventStream { [weak self] in
            self?.state.withLock { state in
                state.streams[userID]?[token] = nil
                if state.streams[userID]?.isEmpty == true { state.streams[userID] = nil }
            }
        }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.streams[userID, default: [:]][token] = stream.mailbox }
            return state.isClosed
        }
        if isClosed { stream.mailbox.finish() }
        return stream
    }

    /// How many streams are open.
    package var openStreams: Int { state.withLock { $0.streams.values.reduce(0) { $0 + $1.count } } }

    /// Something about a job changed. Without a user every stream is told.
    package func changed(jobID: String?, userID: String?) {
        let awaited = [jobID, userID == nil ? SystemUser.id : nil].compactMap { $0 }
        let (waiters, streams) = state.withLock { state in
            let waiters = awaited.flatMap { id in state.waiters[id]?.values.compactMap(\.waiter) ?? [] }
            guard let userID else { return (waiters, state.streams.values.flatMap(\.values)) }
            return (waiters, state.streams[userID].map { Array($0.values) } ?? [])
        }
        for waiter in waiters { waiter.signal() }
        for stream in streams { stream.put { $0.hasChanged = true } }
    }

    package func progressed(_ progress: RunProgress, userID: String) {
        let streams = state.withLock { $0.streams[userID]?.values.map { $0 } ?? [] }
        for stream in streams { stream.put(progress) }
    }

    func keepAlive() {
        let streams = state.withLock { $0.streams.values.flatMap(\.values) }
        for stream in streams { stream.put { $0.isKeepAlive = true } }
    }

    /// The jobs somebody waits for, for the slow poll that finds lost messages.
    var awaitedJobs: [String] { state.withLock { Array($0.waiters.keys) } }

    /// Whether the gateway stops; nobody should go on waiting.
    package var isClosed: Bool { state.withLock(\.isClosed) }

    /// Ends all waiting: the gateway stops.
    package func close() {
        let (waiters, streams) = state.withLock { state in
            state.isClosed = true
            defer {
                state.waiters = [:]
            }
            return (
                state.waiters.values.flatMap { $0.values.compactMap(\.waiter) }, state.streams.values.flatMap(\.values)
            )
        }
        for waiter in waiters { waiter.signal() }
        for stream in streams { stream.finish() }
    }

    private func forget(waiter token: Int, jobID: String) {
        state.withLock { state in
            state.waiters[jobID]?[token] = nil
            if state.waiters[jobID]?.isEmpty == true { state.waiters[jobID] = nil }
        }
    }
}
