import Model
import Synchronization

/// One send under a permit, the release of the permit, and the report to the circuit breaker.
///
/// A cancelled caller returns at once. If its request was already sent, the answer is still awaited, because it frees
/// the permit's slot early.
final class PermittedExchange: Sendable {
    private struct State {
        var hasLeft = false
        var isCancelled = false
        var exchange: Exchange?
        var caller: CheckedContinuation<Exchange, any Error>?
    }
    private let state = Mutex(State())
    private let client: UpstreamClient
    private let permit: Permit
    private let pass: CircuitBreaker.Pass
    private let call: UInt64

    init(client: UpstreamClient, permit: Permit, pass: CircuitBreaker.Pass, call: UInt64) {
        self.client = client
        self.permit = permit
        self.pass = pass
        self.call = call
    }

    func run(_ request: UpstreamRequest) async throws -> Exchange {
        let sending = Task { await send(request) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(with: $0) }
        } onCancel: {
            if !releaseCaller() { sending.cancel() }
        }
    }

    private func send(_ request: UpstreamRequest) async {
        let exchange = await client.runtime.transport.send(
            request, to: client.baseURL, limits: client.limits, admission: { self.admit(request) })
        await finishPermit(exchange, of: request)
        await reportToBreaker(exchange)
        let caller = state.withLock { state in
            state.exchange = exchange
            defer { state.caller = nil }
            return state.caller
        }
        caller?.resume(returning: exchange)
    }

    private func admit(_ request: UpstreamRequest) -> Bool {
        state.withLock { state in
            let now = MonotonicInstant.now()
            guard !state.isCancelled, permit.isValid(at: now), request.admission?.admits(at: now) ?? true,
                request.maySend?() ?? true
            else { return false }
            state.hasLeft = true
            return true
        }
    }

    // MARK: The caller

    private func wait(with caller: CheckedContinuation<Exchange, any Error>) {
        let result = state.withLock { state -> Result<Exchange, any Error>? in
            if let exchange = state.exchange { return .success(exchange) }
            if state.isCancelled, state.hasLeft { return .failure(CancellationError()) }
            state.caller = caller
            return nil
        }
        if let result { caller.resume(with: result) }
    }

    /// Lets a cancelled caller return if the request was sent.
    ///
    /// - Returns: `false` when the request was not sent; it no longer will be.
    private func releaseCaller() -> Bool {
        let (hasLeft, caller) = state.withLock { state in
            state.isCancelled = true
            guard state.hasLeft else { return (false, nil as CheckedContinuation<Exchange, any Error>?) }
            defer { state.caller = nil }
            return (true, state.caller)
        }
        caller?.resume(throwing: CancellationError())
        return hasLeft
    }

    // MARK: After the end

    /// Releases the permit as the rules in `docs/permits.md` allow.
    private func finishPermit(_ exchange: Exchange, of request: UpstreamRequest) async {
        guard exchange.mayHaveLeft else { return await client.permits.returnUnused(permit) }
        var end = RequestEnd(at: exchange.endedAt)
        switch exchange.outcome {
        case .answered(let response):
            if let reset = client.quotaReset(response) {
                await client.permits.recordQuotaReset(reset)
                end.reset = Self.moment(of: reset, toldBy: response, at: exchange.endedAt)
            }
            end.weight = client.weight(response)
            end.countsForQuotas = response.status != 401
            await release(end, after: response, of: request)
        case .failed(.connectionFailed), .failed(.responseTooLarge):
            await client.permits.release(permit, end)
        case .failed, .cancelled, .notAdmitted:
            // Nothing proves whether the request has arrived: the slot stays busy until a window after its hard
            // deadline.
            break
        }
    }

    private func release(_ end: RequestEnd, after response: UpstreamResponse, of request: UpstreamRequest) async {
        guard let sequence = CallSequence.current, request.urgency == .background, response.status == 200 else {
            return await client.permits.release(permit, end)
        }
        let reservation = await client.permits.release(
            permit, end, reservingFor: request.urgency, person: request.person, weight: request.weight,
            share: client.share(of: request.person), totalTimeout: client.limits.totalTimeout,
            waitLimit: client.policy.waitLimit)
        sequence.replace(with: reservation)
    }

    /// The announced reset on the monotonic clock: as far after the end of the answer as it is after the answer's own
    /// `Date`, so that this machine's wall clock does not matter. The time that the answer took can only make it later.
    private static func moment(
        of reset: Timestamp, toldBy response: UpstreamResponse, at end: MonotonicInstant
    ) -> MonotonicInstant? {
        guard let date = RetryAfter.date(of: response), date < reset else { return nil }
        return end.advanced(by: date.duration(to: reset))
    }

    private func reportToBreaker(_ exchange: Exchange) async {
        let event: CircuitBreaker.Event
        switch exchange.outcome {
        case .answered(let response):
            event = response.status >= 500 ? .failed(pass, call: call) : .succeeded(pass)
        case .failed(.connectionFailed), .failed(.timedOut): event = .failed(pass, call: call)
        case .failed(.responseTooLarge): event = .succeeded(pass)
        case .failed, .notAdmitted, .cancelled: event = .abandoned(pass)
        }
        let key = client.gate.key
        switch await client.gate.report(event) {
        case .opened(let until): client.runtime.emit(client.provider, .circuitOpened(key, until: until.onWallClock))
        case .closed: client.runtime.emit(client.provider, .circuitClosed(key))
        case nil: break
        }
    }
}
