import Model
import Synchronization

/// Combines several lookups' questions for the events of attractions in one call: quotas count calls, not attractions.
///
/// 1. A question waits in a queue. Unless a call is under way, one starts at once, so that an idle worker adds no
///    delay.
/// 2. The call waits for its permit. Once it has one, it takes the waiting questions, as many as fit into a call:
///    those that arrived while it waited share it.
/// 3. Questions that arrive later wait for the next call. That one starts when this one has ended, or
///    ``overlapDelay`` after this one took its questions.
/// 4. Each question gets the events of its own attractions. When a call fails, all its questions fail; when it fails
///    before it has a permit, so do the questions that it would have taken.
///
/// The queue serves people in turn. A call counts for the person whose question started it. When that person's daily
/// share turns out to be used up, only their questions fail; the others return to the queue.
///
/// A question whose task is cancelled is removed. A call is cancelled when none of its questions are left.
package final class SharedEventCalls: Sendable {
    /// Sends one call, which counts for a person.
    ///
    /// `attractions` is called when the call has its permit, and returns the same ids from then on. It throws
    /// `CancellationError` when no question is left; then nothing is sent.
    package typealias Send =
        @Sendable (
            _ person: String?, _ attractions: @escaping @Sendable () throws -> [String]
        ) async throws -> ConcertQueryResult

    /// How long a call without an answer delays the next one.
    static let overlapDelay = Duration.seconds(5)

    private struct Question {
        let attractions: [String]
        let person: String?
        let continuation: CheckedContinuation<ConcertQueryResult, any Error>
    }

    private struct Call {
        enum Phase {
            case waitsForPermit
            /// All questions were cancelled before the call had a permit.
            case abandoned
            case sent(attractions: [String], questions: Set<Int>)
        }

        let person: String?
        var task: Task<Void, Never>?
        var phase = Phase.waitsForPermit
    }

    /// Questions and calls by their numbers.
    private struct State {
        private var lastNumber = 0
        /// The questions without an answer.
        var questions: [Int: Question] = [:]
        /// The questions that no call has taken yet.
        var waiting = UserRoundRobin()
        var calls: [Int: Call] = [:]
        /// The call that delays the next one.
        var current: Int?

        mutating func newNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }

        /// Adds a call for the question that is next to be served, unless another call delays it.
        mutating func newCall() -> (number: Int, person: String?)? {
            guard current == nil, let question = waiting.first.flatMap({ questions[$0] }) else { return nil }
            let number = newNumber()
            calls[number] = Call(person: question.person)
            current = number
            return (number, question.person)
        }

        /// The attractions that a call asks for: the first time, those of the waiting questions that fit.
        ///
        /// - Returns: `nil` when there is nothing to ask for.
        mutating func attractions(ofCall number: Int, maximum: Int) -> (ids: [String], isFirstTime: Bool)? {
            switch calls[number]?.phase {
            case nil, .abandoned: return nil
            case .sent(let ids, _): return (ids, false)
            case .waitsForPermit: break
            }
            var ids: [String] = []
            var taken: Set<Int> = []
            while let next = waiting.first, let question = questions[next],
                taken.isEmpty || ids.count + question.attractions.count <= maximum
            {
                waiting.removeFirst()
                taken.insert(next)
                ids += question.attractions.filter { !ids.contains($0) }
            }
            guard !taken.isEmpty else { return nil }
            calls[number]?.phase = .sent(attractions: ids, questions: taken)
            return (ids, true)
        }

        /// Removes a cancelled question.
        ///
        /// - Returns: the question, unless it was already answered; and the task of a call that has no question left.
        mutating func remove(question number: Int) -> (question: Question?, call: Task<Void, Never>?) {
            guard let question = questions.removeValue(forKey: number) else { return (nil, nil) }
            if waiting.remove(number) {
                guard waiting.isEmpty, let current, case .waitsForPermit = calls[current]?.phase else {
                    return (question, nil)
                }
                calls[current]?.phase = .abandoned
                return (question, calls[current]?.task)
            }
            for (key, call) in calls {
                guard case .sent(let attractions, var questions) = call.phase, questions.remove(number) != nil
                else { continue }
                calls[key]?.phase = .sent(attractions: attractions, questions: questions)
                return (question, questions.isEmpty ? call.task : nil)
            }
            return (question, nil)
        }

        /// Removes a call.
        ///
        /// - Parameter isRefused: whether the share of the call's person is used up.
        /// - Returns: the questions that are answered when it ends.
        mutating func end(call number: Int, maximum: Int, isRefused: Bool) -> [Question] {
            // A call that ends without a permit takes its questions now.
            _ = attractions(ofCall: number, maximum: maximum)
            guard let call = calls.removeValue(forKey: number), case .sent(_, let taken) = call.phase else { return [] }
            var answered: [Question] = []
            // From the last to the first, so that those that return to the queue keep their order.
            for number in taken.sorted(by: >) {
                guard let question = questions[number] else { continue }
                if isRefused, question.person != call.person {
                    waiting.prepend(number, of: question.person)
                } else {
                    questions[number] = nil
                    answered.append(question)
                }
            }
            return answered
        }
    }

    private let state = Mutex(State())
    private let maximum: Int
    private let send: Send

    /// - Parameter maximum: the most attractions in one call, unless a single question has more. The events of 50
    ///   usually fit into one page, and their ids into a URL.
    package init(maximum: Int = 50, send: @escaping Send) {
        self.maximum = maximum
        self.send = send
    }

    /// How many questions are waiting for a call to take them.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// The events of attractions.
    ///
    /// - Parameter person: the person who asks; `nil` for nobody in particular.
    /// - Throws: what the call throws; `CancellationError`.
    package func events(of attractions: [String], for person: String? = nil) async throws -> ConcertQueryResult {
        let number = state.withLock { $0.newNumber() }
        let found = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    // A cancellation that is not seen here calls the handler later, which finds the question.
                    if Task.isCancelled { return true }
                    state.questions[number] = Question(
                        attractions: attractions, person: person, continuation: continuation)
                    state.waiting.append(number, of: person)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { startCall() }
            }
        } onCancel: {
            let (question, call) = state.withLock { $0.remove(question: number) }
            call?.cancel()
            question?.continuation.resume(throwing: CancellationError())
        }
        return found.events(of: Set(attractions))
    }

    /// Starts a call if questions wait and no call delays it.
    private func startCall() {
        state.withLock { state in
            guard let (number, person) = state.newCall() else { return }
            state.calls[number]?.task = Task { await run(call: number, for: person) }
        }
    }

    private func run(call number: Int, for person: String?) async {
        let result: Result<ConcertQueryResult, any Error>
        do {
            result = .success(try await send(person) { try self.attractions(ofCall: number) })
        } catch {
            result = .failure(error)
        }
        let failure: (any Error)? =
            switch result {
            case .success(let found): found.gap
            case .failure(let error): error
            }
        let isRefused = (failure as? ProviderFailure)?.kind == .shareUsed
        let questions = state.withLock { $0.end(call: number, maximum: maximum, isRefused: isRefused) }
        for question in questions { question.continuation.resume(with: result) }
        startCall(after: number)
    }

    private func attractions(ofCall number: Int) throws(CancellationError) -> [String] {
        guard let (ids, isFirstTime) = state.withLock({ $0.attractions(ofCall: number, maximum: maximum) }) else {
            throw CancellationError()
        }
        if isFirstTime {
            Task {
                try await Task.sleep(for: Self.overlapDelay)
                startCall(after: number)
            }
        }
        return ids
    }

    private func startCall(after number: Int) {
        state.withLock { if $0.current == number { $0.current = nil } }
        startCall()
    }
}

extension ConcertQueryResult {
    /// Returns a copy without the events of attractions that others requested in the same call.
    fileprivate func events(of ids: Set<String>) -> Self {
        var own = self
        own.events = events.filter { event in event.attractions.contains { ids.contains($0.id) } }
        return own
    }
}
