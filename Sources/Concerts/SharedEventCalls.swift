import Model
import Synchronization

/// Calls for the events of attractions, made together when they come together.
///
/// A call takes with it whoever asks before it may leave; while it is under way, whatever else is asked for waits and
/// goes into the next one. A quiet worker adds no delay, and a busy one asks for as many as fit into a call. What a call
/// is for is a quota of calls, not of artists.
final class SharedEventCalls: Sendable {
    /// Makes a call for the attractions that `boarding` names when it may leave, the same each time; it throws
    /// `CancellationError` when nobody wants the call any more.
    typealias Call = @Sendable (_ boarding: @escaping @Sendable () throws -> [String]) async throws -> ConcertSource.Found

    /// A call that takes longer than this after it left no longer keeps others waiting.
    static let patience = Duration.seconds(5)

    private struct Waiter {
        var ids: [String]
        var continuation: CheckedContinuation<ConcertSource.Found, any Error>
    }

    private struct CallState {
        var task: Task<Void, Never>?
        /// What it asks for, and for whom; `nil` until it may leave.
        var ids: [String]?
        var waiters: Set<Int> = []
        /// Those that it was begun for were cancelled before it could leave.
        var isAbandoned = false
    }

    private struct State {
        var lastNumber = 0
        /// Those that no call has taken yet, in the order in which they came.
        var waiting: [Int] = []
        var waiters: [Int: Waiter] = [:]
        /// Asked for by a task that was cancelled before it could wait.
        var cancelled: Set<Int> = []
        /// The call that others wait for.
        var current: Int?
        /// Calls that wait or are under way.
        var calls: [Int: CallState] = [:]

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }

        /// What the call asks for from now on: what those want that wait, as far as it fits.
        mutating func board(_ number: Int, maximum: Int) -> (ids: [String], isNew: Bool)? {
            guard let call = calls[number], !call.isAbandoned else { return nil }
            if let ids = call.ids { return (ids, false) }
            var ids: [String] = []
            var taken: Set<Int> = []
            while let first = waiting.first, let waiter = waiters[first],
                taken.isEmpty || ids.count + waiter.ids.count <= maximum
            {
                waiting.removeFirst()
                taken.insert(first)
                ids += waiter.ids.filter { !ids.contains($0) }
            }
            guard !taken.isEmpty else { return nil }
            calls[number]?.ids = ids
            calls[number]?.waiters = taken
            return (ids, true)
        }

        /// Gives the call whose answer nobody wants any more without this waiter.
        mutating func remove(_ number: Int) -> Task<Void, Never>? {
            if let place = waiting.firstIndex(of: number) {
                waiting.remove(at: place)
                guard waiting.isEmpty, let current, calls[current]?.ids == nil else { return nil }
                calls[current]?.isAbandoned = true
                return calls[current]?.task
            }
            for (key, call) in calls where call.waiters.contains(number) {
                calls[key]?.waiters.remove(number)
                if call.waiters.count == 1 { return call.task }
            }
            return nil
        }

        /// Removes the call and those it was for.
        mutating func end(_ number: Int, maximum: Int) -> [Waiter] {
            // One that could not leave has failed for those whom it would have taken.
            _ = board(number, maximum: maximum)
            return (calls.removeValue(forKey: number)?.waiters ?? []).compactMap { waiters.removeValue(forKey: $0) }
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
            return (waiter, state.remove(number))
        }
        task?.cancel()
        waiter?.continuation.resume(throwing: CancellationError())
    }

    /// Makes a call for those that wait, unless there is one that they wait for.
    private func startNext() {
        let next = state.withLock { state -> Int? in
            guard state.current == nil, !state.waiting.isEmpty else { return nil }
            let number = state.nextNumber()
            state.current = number
            state.calls[number] = CallState()
            return number
        }
        guard let next else { return }
        let task = Task {
            let result: Result<ConcertSource.Found, any Error>
            do {
                result = .success(try await call { try self.board(next) })
            } catch {
                result = .failure(error)
            }
            ended(next, result)
        }
        state.withLock { $0.calls[next]?.task = task }
    }

    /// Takes into the call whoever waits, as far as they fit.
    private func board(_ number: Int) throws(CancellationError) -> [String] {
        guard let (ids, isNew) = state.withLock({ $0.board(number, maximum: maximum) }) else {
            throw CancellationError()
        }
        if isNew {
            Task {
                try await Task.sleep(for: Self.patience)
                release(number)
            }
        }
        return ids
    }

    private func ended(_ number: Int, _ result: Result<ConcertSource.Found, any Error>) {
        let waiters = state.withLock { $0.end(number, maximum: maximum) }
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
    ///
    /// - Parameter call: asks for the attractions that it is given when the call may leave, the same each time. Without
    ///   any it is told so by a `CancellationError`, and sends nothing.
    package func sharingCalls(
        _ call: @escaping @Sendable (_ boarding: @escaping @Sendable () throws -> [String]) async throws -> Found
    ) -> ConcertSource {
        let calls = SharedEventCalls(maximum: Self.attractionsInOneCall, call: call)
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
