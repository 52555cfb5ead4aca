import Model

/// One call: circuit breaker, permit, transport, and retries.
struct UpstreamCall {
    /// How many permits in a row may go unused for lack of a connection before this counts as a failed attempt.
    private static let missedPermitLimit = 3

    private let client: UpstreamClient
    private var request: UpstreamRequest
    /// Unique among the calls of this process.
    private let number: UInt64
    private var retries: RetrySequence
    private var missedPermits = 0

    /// What to do after an attempt.
    private enum Step {
        case done(UpstreamResponse)
        case retry(RetrySequence.Trouble, requestedDelay: Duration?, orElse: Result<UpstreamResponse, UpstreamError>)
        /// The key is paused; the next wait for a permit lasts until the pause ends.
        case retryAfterPause(orElse: UpstreamResponse)
        /// Nothing was sent, and nothing failed.
        case again
    }

    init(client: UpstreamClient, request: UpstreamRequest, number: UInt64) {
        self.client = client
        self.request = request
        self.number = number
        retries = RetrySequence(policy: client.policy, isIdempotent: request.isIdempotent)
    }

    mutating func run() async throws -> UpstreamResponse {
        while true {
            switch try await attempt() {
            case .done(let response): return response
            case .again: continue
            case .retry(let trouble, let requestedDelay, let otherwise):
                let now = MonotonicInstant.now()
                let action = retries.handle(
                    trouble, requestedDelay: requestedDelay, now: now, jitter: .random(in: 0...1))
                guard case .retry(let delay) = action else { return try otherwise.get() }
                guard client.runtime.mayRetry(client.provider) else {
                    emit(.retryBudgetSpent)
                    return try otherwise.get()
                }
                try await now.advanced(by: delay).sleep()
            case .retryAfterPause(let otherwise):
                let action = retries.handle(.notProcessed, now: .now(), jitter: 0)
                if action == .giveUp { return otherwise }
            }
        }
    }

    /// Waits for the breaker and a permit, sends once, and classifies the answer.
    private mutating func attempt() async throws -> Step {
        let began = MonotonicInstant.now()
        guard request.admission?.isOver(at: began) != true else { throw UpstreamError.tooLate }
        let (pass, hasWaited) = try await client.gate.enter(
            request.urgency, by: retries.deadline(waitingSince: began))
        if hasWaited { retries.recordTrouble(at: began) }
        let permit: Permit
        do {
            permit = try await self.permit()
        } catch {
            await client.gate.report(.abandoned(pass))
            throw error
        }
        if let pausedSince = permit.pausedSince { retries.recordTrouble(at: pausedSince) }
        // The breaker may have opened while the call waited for its permit, or another call may have become the probe.
        guard await client.gate.maySend(pass), !Task.isCancelled else {
            await client.permits.returnUnused(permit)
            await client.gate.report(.abandoned(pass))
            try Task.checkCancellation()
            return .again
        }
        do {
            try completeRequest()
            try await request.admission?.begin()
        } catch {
            await client.permits.returnUnused(permit)
            await client.gate.report(.abandoned(pass))
            throw error
        }
        emit(.permitGranted)
        let started = MonotonicInstant.now()
        let exchange = try await PermittedExchange(client: client, permit: permit, pass: pass, call: number)
            .run(request)
        emitAttempt(exchange, duration: started.duration(to: exchange.endedAt), waited: began.duration(to: started))
        return try await step(after: exchange)
    }

    private func permit() async throws -> Permit {
        if let sequence = CallSequence.current,
            let permit = await sequence.permit(
                in: client.permits, request.urgency, person: request.person, weight: request.weight)
        {
            return permit
        }
        return try await client.permits.acquire(
            request.urgency, person: request.person, weight: request.weight,
            share: client.share(of: request.person),
            totalTimeout: client.limits.totalTimeout, waitLimit: client.policy.waitLimit,
            deadline: retries.deadline)
    }

    private mutating func completeRequest() throws {
        guard let complete = request.complete else { return }
        request.complete = nil
        try complete(&request)
    }

    private mutating func step(after exchange: Exchange) async throws -> Step {
        switch exchange.outcome {
        case .answered(let response):
            missedPermits = 0
            return try await step(after: response)
        case .failed(let error):
            missedPermits = 0
            guard error == .timedOut || error.isConnectionFailure else { throw error }
            return .retry(
                .noAnswer(mayHaveLeft: exchange.mayHaveLeft), requestedDelay: nil, orElse: .failure(error))
        case .notAdmitted:
            emit(.permitMissed)
            missedPermits += 1
            guard missedPermits >= Self.missedPermitLimit else { return .again }
            missedPermits = 0
            let error = UpstreamError.connectionFailed("no connection could be made within a second")
            return .retry(.noAnswer(mayHaveLeft: false), requestedDelay: nil, orElse: .failure(error))
        case .cancelled:
            throw CancellationError()
        }
    }

    private func step(after response: UpstreamResponse) async throws -> Step {
        switch client.classify(response) {
        case .success, .final:
            return .done(response)
        case .retryable(let delay):
            let trouble: RetrySequence.Trouble = response.status >= 500 ? .serverError : .notProcessed
            guard let delay, delay > .zero else {
                return .retry(trouble, requestedDelay: nil, orElse: .success(response))
            }
            let until = MonotonicInstant.now().advanced(by: delay)
            await client.permits.pause(.requested(until: until))
            emit(.keyPaused(for: delay, reason: .requested))
            // The request may have been carried out, and `paused` would claim that it was not.
            guard trouble != .serverError || request.isIdempotent else { return .done(response) }
            guard until <= retries.deadline(waitingSince: .now()) else {
                throw UpstreamError.paused(until: until.onWallClock)
            }
            return .retry(trouble, requestedDelay: delay, orElse: .success(response))
        case .pauseKey(let until):
            await client.permits.pause(.quotaExhausted(until: until))
            emit(.keyPaused(for: until.map { Timestamp.now().duration(to: $0) }, reason: .quotaExhausted))
            return .retryAfterPause(orElse: response)
        }
    }

    private func emit(_ kind: UpstreamEvent.Kind) {
        client.runtime.emit(client.provider, kind)
    }

    private func emitAttempt(_ exchange: Exchange, duration: Duration, waited: Duration) {
        var attempt = UpstreamEvent.Attempt(
            number: retries.attemptsMade + 1, status: nil, error: nil, duration: duration, waited: waited)
        switch exchange.outcome {
        case .answered(let response):
            attempt.status = response.status
            attempt.responseBytes = response.body.count
        case .failed(let error): attempt.error = error
        case .notAdmitted, .cancelled: return
        }
        emit(.attempted(attempt))
    }
}

extension UpstreamError {
    fileprivate var isConnectionFailure: Bool {
        if case .connectionFailed = self { true } else { false }
    }
}
