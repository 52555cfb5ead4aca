import Model

/// Calls to one provider with one credential: each waits for the circuit breaker and a permit, is sent,
/// judged, and tried again where that is safe.
package struct UpstreamClient: Sendable {
    let runtime: UpstreamRuntime
    let provider: String
    let baseURL: BaseURL
    let limits: TransferLimits
    let policy: RetryPolicy
    let classify: @Sendable (UpstreamResponse) -> ResponseVerdict
    let quotaReset: @Sendable (UpstreamResponse) -> Timestamp?
    let permits: PermitQueue
    let gate: CircuitGate

    /// - Parameters:
    ///   - provider: its name in metrics, logs and the table of permits, such as `ticketmaster`.
    ///   - credential: what the provider's limit counts by; only a fingerprint of it is kept.
    ///   - limit: shared by all processes that use the same database, provider and credential.
    ///   - classify: what an answer means.
    ///   - quotaReset: when the provider's allowance starts anew, as an answer tells it.
    package init(
        runtime: UpstreamRuntime, provider: String, baseURL: BaseURL, credential: Secret?, limit: PermitLimit,
        limits: TransferLimits = TransferLimits(), policy: RetryPolicy = RetryPolicy(),
        classify: @escaping @Sendable (UpstreamResponse) -> ResponseVerdict = { .standard($0) },
        quotaReset: @escaping @Sendable (UpstreamResponse) -> Timestamp? = { _ in nil }
    ) {
        self.runtime = runtime
        self.provider = provider
        self.baseURL = baseURL
        self.limits = limits
        self.policy = policy
        self.classify = classify
        self.quotaReset = quotaReset
        let key = PermitKey(provider: provider, credential: credential)
        permits = runtime.permits(of: key, limit: limit)
        gate = runtime.gate(of: key)
    }

    /// The provider's answer, whatever its status, after the retries that its verdicts asked for.
    ///
    /// - Throws: ``UpstreamError`` when no answer came, or none can come soon enough; `CancellationError`; or what
    ///   Storage throws.
    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        var call = UpstreamCall(client: self, request: request, number: runtime.beginCall(to: provider))
        return try await call.run()
    }
}
