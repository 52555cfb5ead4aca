import Model

/// When a call that met trouble is tried again: full-jitter exponential backoff within a deadline.
package struct RetryPolicy: Sendable, Equatable {
    /// Sends of one call, the first included.
    package var maximumAttempts: Int
    /// The most that the first wait may last; each further one may last twice as long.
    package var baseDelay: Duration
    package var maximumDelay: Duration
    /// How long after its first trouble a call may still be tried.
    package var patience: Duration

    package init(
        maximumAttempts: Int = 4, baseDelay: Duration = .milliseconds(250), maximumDelay: Duration = .seconds(20),
        patience: Duration = .seconds(120)
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.patience = patience
    }
}

/// The retrying of one call: told of each failed attempt, it answers whether and when to try again.
package struct RetrySequence: Sendable {
    /// What went wrong with one attempt.
    package enum Trouble: Sendable, Equatable {
        /// No connection, a broken one, or no answer in time.
        case noAnswer(mayHaveLeft: Bool)
        /// Status 5xx.
        case serverError
        /// Status 429, or another word of the provider that it did not process the request.
        case turnedAway
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

    /// Attempts that have failed so far.
    package var attemptsMade: Int { failedAttempts }

    /// `jitter` is a random number in 0...1; `requestedDelay` is the provider's own wish (`Retry-After`).
    package mutating func handle(
        _ trouble: Trouble, requestedDelay: Duration? = nil, now: MonotonicInstant, jitter: Double
    ) -> Action {
        failedAttempts += 1
        meetTrouble(at: now)
        let deadline = deadline(troubledSince: now)
        guard isSafe(trouble), failedAttempts < policy.maximumAttempts else { return .giveUp }
        let doublings = min(failedAttempts - 1, 30)
        let ceiling = min(policy.maximumDelay, policy.baseDelay * (1 << doublings))
        // On top of the provider's wish, so that all who were told the same do not come back at once.
        let delay = (requestedDelay ?? .zero) + ceiling * jitter
        guard now.advanced(by: delay) <= deadline else { return .giveUp }
        return .retry(after: delay)
    }

    /// Starts the clock of the policy's patience, unless it runs already.
    package mutating func meetTrouble(at time: MonotonicInstant) {
        firstTrouble = firstTrouble ?? time
    }

    /// Until when this call may wait, if it has met trouble.
    package var deadline: MonotonicInstant? { firstTrouble?.advanced(by: policy.patience) }

    /// Until when this call may wait, if it is in trouble since `now` at the latest.
    package func deadline(troubledSince now: MonotonicInstant) -> MonotonicInstant {
        deadline ?? now.advanced(by: policy.patience)
    }

    private func isSafe(_ trouble: Trouble) -> Bool {
        switch trouble {
        case .turnedAway, .noAnswer(mayHaveLeft: false): true
        case .noAnswer(mayHaveLeft: true), .serverError: isIdempotent
        }
    }
}
