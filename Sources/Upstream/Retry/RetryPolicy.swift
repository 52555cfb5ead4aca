import Model

/// When a failed call is retried: exponential backoff with full jitter, within a deadline.
package struct RetryPolicy: Sendable, Equatable {
    /// The most sends of one call, including the first.
    package var maximumAttempts: Int
    /// The longest wait before the first retry. The longest wait doubles with each retry, up to ``maximumDelay``.
    package var baseDelay: Duration
    package var maximumDelay: Duration
    /// How long after its first failure or wait a call may still wait or be retried.
    package var waitLimit: Duration

    package init(
        maximumAttempts: Int = 4, baseDelay: Duration = .milliseconds(250), maximumDelay: Duration = .seconds(20),
        waitLimit: Duration = .seconds(120)
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.waitLimit = waitLimit
    }
}

/// The retries of one call: decides after each failed attempt whether and when to try again.
package struct RetrySequence: Sendable {
    /// Why one attempt failed.
    package enum Trouble: Sendable, Equatable {
        /// No connection, a broken connection, or no answer in time.
        case noAnswer(mayHaveLeft: Bool)
        /// Status 5xx.
        case serverError
        /// Status 429, or another answer saying that the provider did not process the request.
        case notProcessed
    }

    package enum Action: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    private let policy: RetryPolicy
    private let isIdempotent: Bool
    private var failedAttempts = 0
    private var firstTrouble: MonotonicInstant?

    package init(policy: RetryPolicy, isIdempotent: Bool) {
        self.policy = policy
        self.isIdempotent = isIdempotent
    }

    /// How many attempts have failed so far.
    package var attemptsMade: Int { failedAttempts }

    /// - Parameters:
    ///   - requestedDelay: how long the provider asks to wait (`Retry-After`).
    ///   - jitter: a random number in 0...1.
    package mutating func handle(
        _ trouble: Trouble, requestedDelay: Duration? = nil, now: MonotonicInstant, jitter: Double
    ) -> Action {
        failedAttempts += 1
        recordTrouble(at: now)
        let deadline = deadline(waitingSince: now)
        guard isSafe(trouble), failedAttempts < policy.maximumAttempts else { return .giveUp }
        let doublings = min(failedAttempts - 1, 30)
        let ceiling = min(policy.maximumDelay, policy.baseDelay * (1 << doublings))
        // Added to the provider's delay, so that calls that were given the same delay do not all return at once.
        let delay = (requestedDelay ?? .zero) + ceiling * jitter
        guard now.advanced(by: delay) <= deadline else { return .giveUp }
        return .retry(after: delay)
    }

    /// Starts the policy's wait limit, unless it has already started.
    package mutating func recordTrouble(at time: MonotonicInstant) {
        firstTrouble = firstTrouble ?? time
    }

    /// Until when this call may wait; `nil` before its first failure or wait.
    package var deadline: MonotonicInstant? { firstTrouble?.advanced(by: policy.waitLimit) }

    /// Until when this call may wait if it has to wait from `now` on.
    package func deadline(waitingSince now: MonotonicInstant) -> MonotonicInstant {
        deadline ?? now.advanced(by: policy.waitLimit)
    }

    private func isSafe(_ trouble: Trouble) -> Bool {
        switch trouble {
        case .notProcessed, .noAnswer(mayHaveLeft: false): true
        case .noAnswer(mayHaveLeft: true), .serverError: isIdempotent
        }
    }
}
