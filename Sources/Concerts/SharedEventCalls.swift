import Model
import Synchronization

/// Calls for the events of attractions, made together when they come together.
///
/// While one call is under way, whatever else is asked for waits and goes into the next one: a quiet worker adds no
/// delay, and a busy one asks for as many as fit into a call. What a call is for is a quota of calls, not of artists.
final class SharedEventCalls: Sendable {
    typealias Call = @Sendable ([String]) async throws -> ConcertSource.Found

    /// A call that takes longer than this no longer keeps others waiting.
    static let patience = Duration.seconds(5)

    private struct Waiter {
        var ids: [String]
        var continuation: CheckedContinuation<ConcertSource.Found, any Error>
    }

    private struct State {
        var lastNumber = 0
        /// Those that no call is made for yet, in the order in which they came.
        var waiting: [Int] = []
        var waiters: [Int: Waiter] = [:]
        /// Asked for by a task that was cancelled before it could wait.
        var cancelled: Set<Int> = []
        /// The call that others wait for.
        var current: Int?
        /// Calls under way, with those whom they are for.
        var calls: [Int: (task: Task<Void, Never>?, waiters: Set<Int>)] = [:]

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Mutex(State())
    private let maximum: Int
    private let call: Call

    /// - Parameter maximum: attractions in one call.
    init(maximum: Int, call: @escaping Call) {
        self.maximum = maximum
        self.call = call
    }

    /// How many wait for a call to be made.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// The events of these attractions. When a call fails, it does so for everybody whom it was for.
    ///
    /// - Throws: what the call throws, or `CancellationError`.
    func events(of ids: [String]) async throws -> ConcertSource.Found {
        let number = state.withLock { $0.nextNumber() }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        let found = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.waiters[number] = Waiter(ids: ids, continuation: continuation)
                    state.waiting.append(number)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { startNext() }
            }
        } onCancel: {
            cancel(number)
        }
        return found.events(of: Set(ids))
    }

    private func cancel(_ number: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.waiters.removeValue(forKey: number) else {
                // Not waiting yet, or answered already.
                state.cancelled.insert(number)
                return (nil, nil)
            }
            state.waiting.removeAll { $0 == number }
            for (key, call) in state.calls where call.waiters.contains(number) {
                state.calls[key]?.waiters.remove(number)
                // Nobody wants its answer any more.
                if call.waiters.count == 1 { return (waiter, call.task) }
            }
            return (waiter, nil)
        }
        task?.cancel()
        waiter?.continuation.resume(throwing: CancellationError())
    }

    /// Makes a call for those that wait, unless one is under way that they wait for.
    private func startNext() {
        let next = state.withLock { state -> (call: Int, ids: [String])? in
            guard state.current == nil, !state.waiting.isEmpty else { return nil }
            var ids: [String] = []
            var taken: Set<Int> = []
            while let first = state.waiting.first, let waiter = state.waiters[first],
                taken.isEmpty || ids.count + waiter.ids.count <= maximum
            {
                state.waiting.removeFirst()
                taken.insert(first)
                ids += waiter.ids.filter { !ids.contains($0) }
            }
            let number = state.nextNumber()
            state.current = number
            state.calls[number] = (nil, taken)
            return (number, ids)
        }
        guard let next else { return }
        let alarm = Task {
            try await Task.sleep(for: Self.patience)
            release(next.call)
        }
        let task = Task {
            let result: Result<ConcertSource.Found, any Error>
            do {
                result = .success(try await call(next.ids))
            } catch {
                result = .failure(error)
            }
            alarm.cancel()
            ended(next.call, result)
        }
        state.withLock { $0.calls[next.call]?.task = task }
    }

    private func ended(_ number: Int, _ result: Result<ConcertSource.Found, any Error>) {
        let waiters = state.withLock { state in
            (state.calls.removeValue(forKey: number)?.waiters ?? []).compactMap {
                state.waiters.removeValue(forKey: $0)
            }
        }
        for waiter in waiters { waiter.continuation.resume(with: result) }
        release(number)
    }

    /// The others need not wait for this call any more.
    private func release(_ number: Int) {
        state.withLock { if $0.current == number { $0.current = nil } }
        startNext()
    }
}

extension ConcertSource {
    /// Attractions in one call: their events mostly fit into a page, and their ids into a URL.
    package static let attractionsInOneCall = 50

    /// This source, with the calls for attractions that come together made as one.
    package func sharingCalls() -> ConcertSource {
        let calls = SharedEventCalls(maximum: Self.attractionsInOneCall) { [eventsByAttractions] ids in
            try await eventsByAttractions(ids, .full)
        }
        var shared = self
        shared.eventsByAttractions = { [eventsByAttractions] ids, effort in
            // What has just failed together is asked for apart.
            effort == .full ? try await calls.events(of: ids) : try await eventsByAttractions(ids, effort)
        }
        return shared
    }
}

extension ConcertSource.Found {
    /// Of what was found together, what is these attractions'.
    fileprivate func events(of ids: Set<String>) -> Self {
        var own = self
        own.events = events.filter { event in event.attractions.contains { ids.contains($0.id) } }
        return own
    }
}
