import Model
import Synchronization

/// Calls for the events of attractions, made together when they come together.
///
/// A call takes with it whoever asks before it may leave; while it is under way, whatever else is asked for waits and
/// goes into the next one. A quiet worker adds no delay, and a busy one asks for as many as fit into a call: what counts
/// against a quota is calls, not artists.
///
/// People take turns, so that nobody's many questions come before another's first. A call counts for the person whose
/// question began it. Where their share is used up, those who ask for other people go on waiting for another call.
final class SharedEventCalls: Sendable {
    /// Makes a call that counts for a person, for the attractions that `boarding` names when it may leave, the same each
    /// time; it throws `CancellationError` when nobody wants the call any more.
    typealias Call = @Sendable (
        _ person: String?, _ boarding: @escaping @Sendable () throws -> [String]
    ) async throws -> ConcertSource.Found

    /// A call that takes longer than this after it left no longer keeps others waiting.
    static let patience = Duration.seconds(5)

    private struct Waiter {
        var ids: [String]
        /// For whom it asks.
        var person: String?
        var continuation: CheckedContinuation<ConcertSource.Found, any Error>
    }

    private struct CallState {
        /// For whom it counts.
        var person: String?
        var task: Task<Void, Never>?
        /// What it asks for, and for whom; `nil` until it may leave.
        var ids: [String]?
        var waiters: Set<Int> = []
        /// Those that it was begun for were cancelled before it could leave.
        var isAbandoned = false
    }

    private struct State {
        var lastNumber = 0
        /// Those that no call has taken yet.
        var waiting = PersonTurns()
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
            if waiting.remove(number) {
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
        ///
        /// - Parameter isRefused: the share of its person is used up. Who asks for somebody else waits on.
        mutating func end(_ number: Int, maximum: Int, isRefused: Bool) -> [Waiter] {
            // One that could not leave has failed for those whom it would have taken.
            _ = board(number, maximum: maximum)
            guard let call = calls.removeValue(forKey: number) else { return [] }
            var ended: [Waiter] = []
            // The last first, so that their order is what it was.
            for number in call.waiters.sorted(by: >) {
                guard let waiter = waiters[number] else { continue }
                if isRefused, waiter.person != call.person {
                    waiting.prepend(number, of: waiter.person)
                } else {
                    waiters[number] = nil
                    ended.append(waiter)
                }
            }
            return ended
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
    /// - Parameter person: for whom a call counts that has to be made for this.
    /// - Throws: what the call throws, or `CancellationError`.
    func events(of ids: [String], for person: String? = nil) async throws -> ConcertSource.Found {
        let number = state.withLock { $0.nextNumber() }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        let found = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.waiters[number] = Waiter(ids: ids, person: person, continuation: continuation)
                    state.waiting.append(number, of: person)
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
        let begun = state.withLock { state -> (number: Int, person: String?)? in
            guard state.current == nil, let first = state.waiting.first, let waiter = state.waiters[first] else {
                return nil
            }
            let number = state.nextNumber()
            state.current = number
            state.calls[number] = CallState(person: waiter.person)
            return (number, waiter.person)
        }
        guard let (next, person) = begun else { return }
        let task = Task {
            let result: Result<ConcertSource.Found, any Error>
            do {
                result = .success(try await call(person) { try self.board(next) })
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
        let trouble: (any Error)? =
            switch result {
            case .success(let found): found.gap
            case .failure(let error): error
            }
        let isRefused = (trouble as? ProviderFailure)?.kind == .shareUsed
        let waiters = state.withLock { $0.end(number, maximum: maximum, isRefused: isRefused) }
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

    /// These sources, with the calls for attractions that come together made as one, whoever asks.
    ///
    /// - Parameter call: asks, in the name of a person, for the attractions that it is given when the call may leave, the
    ///   same each time. Without any it is told so by a `CancellationError`, and sends nothing.
    package static func sharingCalls(
        _ source: @escaping ByPerson,
        call: @escaping @Sendable (
            _ person: String?, _ boarding: @escaping @Sendable () throws -> [String]
        ) async throws -> Found
    ) -> ByPerson {
        let calls = SharedEventCalls(maximum: Self.attractionsInOneCall, call: call)
        return { person in
            var shared = source(person)
            shared.eventsByAttractions = { [eventsByAttractions = shared.eventsByAttractions] ids, effort in
                // What has just failed together is asked for apart.
                effort == .full
                    ? try await calls.events(of: ids, for: person) : try await eventsByAttractions(ids, effort)
            }
            return shared
        }
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
