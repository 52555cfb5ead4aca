import Model

/// One circuit breaker, and the calls that wait until it lets them through.
actor CircuitGate {
    /// Whose calls it lets through.
    nonisolated let key: PermitKey
    private var breaker: CircuitBreaker
    private var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    private var lastID: UInt64 = 0

    init(key: PermitKey, settings: CircuitBreaker.Settings) {
        self.key = key
        breaker = CircuitBreaker(settings: settings)
    }

    /// Waits until the call may send, and says whether it had to wait.
    ///
    /// - Throws: ``UpstreamError/circuitOpen(until:)`` at the deadline, or at once when it cannot be met;
    ///   `CancellationError`.
    func enter(by deadline: MonotonicInstant) async throws -> (pass: CircuitBreaker.Pass, hasWaited: Bool) {
        var hasWaited = false
        while true {
            let now = MonotonicInstant.now()
            let until: MonotonicInstant
            switch breaker.handle(.requested, now: now) {
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

    /// Whether the breaker has stood still since it gave `pass`.
    func isCurrent(_ pass: CircuitBreaker.Pass) -> Bool { breaker.isCurrent(pass) }

    /// What a result did to the breaker.
    enum Change: Sendable, Equatable {
        case opened(until: MonotonicInstant)
        case closed
    }

    /// Returns what this result changed, if it did.
    @discardableResult
    func report(_ event: CircuitBreaker.Event) -> Change? {
        switch breaker.handle(event, now: .now()) {
        case .opened(let until):
            // Those who wait for the probe have to wait for something else now.
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
        let timer = Task {
            guard (try? await time.sleep()) != nil else { return }
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
