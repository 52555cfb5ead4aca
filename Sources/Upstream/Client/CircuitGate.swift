import Model

/// One circuit breaker, and the calls that wait for it to let them through.
actor CircuitGate {
    nonisolated let key: PermitKey
    private let clock: MonotonicClock
    private var breaker: CircuitBreaker
    private var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    private var lastID: UInt64 = 0

    init(key: PermitKey, settings: CircuitBreaker.Settings, clock: MonotonicClock = .system) {
        self.key = key
        self.clock = clock
        breaker = CircuitBreaker(settings: settings)
    }

    /// Waits until the call may send. `hasWaited` says whether it had to wait.
    ///
    /// - Throws: ``UpstreamError/circuitOpen(until:)`` at the deadline, or at once when it cannot be met;
    ///   `CancellationError`.
    func enter(
        _ urgency: UpstreamRequest.Urgency, by deadline: MonotonicInstant
    ) async throws -> (pass: CircuitBreaker.Pass, hasWaited: Bool) {
        var hasWaited = false
        while true {
            let now = clock.now()
            let until: MonotonicInstant
            switch breaker.handle(.requested(urgency), now: now) {
            case .proceed(let pass): return (pass, hasWaited)
            case .wait(let time): until = time
            default: until = deadline
            }
            guard until <= deadline, now < deadline else {
                throw UpstreamError.circuitOpen(until: until.onWallClock)
            }
            hasWaited = true
            try await waitForChange(until: until)
        }
    }

    /// Whether a call that has its permit may send: the breaker must still be in the state in which it gave `pass`, and
    /// no other call may have taken over the probe.
    func maySend(_ pass: CircuitBreaker.Pass) -> Bool {
        breaker.handle(.sending(pass), now: clock.now()) == .proceed(pass)
    }

    /// How a result changed the breaker.
    enum Change: Sendable, Equatable {
        case opened(until: MonotonicInstant)
        case closed
    }

    /// Reports the result of a call to the breaker.
    ///
    /// - Returns: `nil` when the result changed nothing.
    @discardableResult
    func report(_ event: CircuitBreaker.Event) -> Change? {
        switch breaker.handle(event, now: clock.now()) {
        case .opened(let until):
            // Calls that wait for the probe must wait until it is half-open again.
            resumeAll()
            return .opened(until: until)
        case .resumeWaiting:
            resumeAll()
            return breaker.isClosed ? .closed : nil
        case .nothing, .proceed, .wait, .waitForProbe:
            return nil
        }
    }

    private func resumeAll() {
        let all = waiting.values
        waiting = [:]
        for caller in all { caller.resume() }
    }

    private func waitForChange(until time: MonotonicInstant) async throws {
        lastID += 1
        let id = lastID
        let timer = Task { [clock] in
            guard (try? await clock.sleep(time)) != nil else { return }
            self.waiting.removeValue(forKey: id)?.resume()
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting[id] = continuation
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    private func cancel(_ id: UInt64) {
        waiting.removeValue(forKey: id)?.resume(throwing: CancellationError())
    }
}
