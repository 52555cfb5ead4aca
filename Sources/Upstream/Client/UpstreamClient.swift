import Model
import PermitStorage

/// Calls to one provider with one credential. Each call waits for the circuit breaker and a permit, is sent, and is
/// retried if that is safe.
package struct UpstreamClient: Sendable {
    let runtime: UpstreamRuntime
    let provider: String
    let baseURL: BaseURL
    let limits: TransferLimits
    let policy: RetryPolicy
    let classify: @Sendable (UpstreamResponse) -> ResponseVerdict
    let quotaReset: @Sendable (UpstreamResponse) -> Timestamp?
    let weight: @Sendable (UpstreamResponse) -> Int?
    private let dailyShare: Int?
    let permits: PermitQueue
    /// The permits shared by all candidates of the provider; `nil` unless the credential is a candidate.
    private let candidates: PermitQueue?
    let gate: CircuitGate

    /// The limit for all calls to one provider with candidate credentials.
    package static let candidateLimit = PermitLimit(requests: 20, window: .seconds(10))

    /// - Parameters:
    ///   - provider: the provider's name in metrics, logs and the permit tables, such as `ticketmaster`.
    ///   - credential: what the provider's limit counts by; only its fingerprint is stored.
    ///   - isCandidate: whether the credential is not verified yet. Its calls observe the limit of the credential, and
    ///     share ``candidateLimit`` and one circuit breaker with all other candidates, so that trying many credentials
    ///     costs the provider no more than trying a few.
    ///   - scope: a part of the provider that counts and fails separately, such as a model; contains no secrets.
    ///   - limit: shared by all processes that use the same database, provider, credential and scope.
    ///   - quotas: further limits, shared in the same way.
    ///   - dailyShare: the most requests per day (UTC) that one person may cause with this credential, the
    ///     installation's own, across all processes; `nil` for no limit. Requests are counted per provider; requests
    ///     without a person are not counted.
    ///   - hasCircuitBreaker: whether repeated failures stop the calls for a while.
    ///   - classify: what an answer means.
    ///   - quotaReset: when the provider's quota resets, if the answer says so.
    ///   - weight: the weight of the request, if its answer reports it; see ``UpstreamRequest/weight``.
    package init(
        runtime: UpstreamRuntime, provider: String, baseURL: BaseURL, credential: Secret?,
        isCandidate: Bool = false, scope: String? = nil, limit: PermitLimit, quotas: [PermitQuota] = [],
        limits: TransferLimits = TransferLimits(), policy: RetryPolicy = RetryPolicy(),
        dailyShare: Int? = nil, hasCircuitBreaker: Bool = true,
        classify: @escaping @Sendable (UpstreamResponse) -> ResponseVerdict = { .standard($0) },
        quotaReset: @escaping @Sendable (UpstreamResponse) -> Timestamp? = { _ in nil },
        weight: @escaping @Sendable (UpstreamResponse) -> Int? = { _ in nil }
    ) {
        self.runtime = runtime
        self.provider = provider
        self.baseURL = baseURL
        self.limits = limits
        self.policy = policy
        self.dailyShare = dailyShare
        self.classify = classify
        self.quotaReset = quotaReset
        self.weight = weight
        let key = PermitKey(provider: provider, credential: credential, scope: scope)
        permits = runtime.permits(of: key, limit: limit, quotas: quotas)
        let candidatesKey = isCandidate ? PermitKey(candidatesOf: provider) : nil
        candidates = candidatesKey.map { runtime.permits(of: $0, limit: Self.candidateLimit) }
        gate = runtime.gate(of: candidatesKey ?? key, opens: hasCircuitBreaker)
    }

    /// Returns the provider's final answer, whatever its status, after any retries.
    ///
    /// - Throws: ``UpstreamError`` when there was no answer, or there can be none soon enough; `CancellationError`;
    ///   ``StorageError``; the errors of ``UpstreamRequest/complete``.
    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        guard let candidates else { return try await perform(request) }
        let permit = try await candidates.acquire(
            request.urgency, person: request.person, totalTimeout: limits.totalTimeout, waitLimit: policy.waitLimit,
            deadline: nil)
        let result: Result<UpstreamResponse, any Error>
        do {
            result = .success(try await perform(request))
        } catch {
            result = .failure(error)
        }
        await candidates.release(permit, RequestEnd(at: .now()))
        return try result.get()
    }

    /// The daily share that a person's request counts towards; `nil` when it counts towards none.
    func share(of person: String?) -> CallShare? {
        guard let dailyShare, let person, person != SystemUser.id else { return nil }
        return CallShare(provider: provider, userID: person, limit: dailyShare)
    }

    private func perform(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        var call = UpstreamCall(client: self, request: request, number: runtime.beginCall(to: provider))
        return try await call.run()
    }
}
