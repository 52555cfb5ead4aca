import Model
import Storage

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
    let weight: @Sendable (UpstreamResponse) -> Int?
    private let dailyShare: Int?
    let permits: PermitQueue
    /// What a candidate's calls take their turns in besides.
    private let candidates: PermitQueue?
    let gate: CircuitGate

    /// Of calls to one provider with credentials that are candidates, whoever entered them.
    package static let candidateLimit = PermitLimit(requests: 20, window: .seconds(10))

    /// - Parameters:
    ///   - provider: its name in metrics, logs and the table of permits, such as `ticketmaster`.
    ///   - credential: what the provider's limit counts by; only a fingerprint of it is kept.
    ///   - isCandidate: whether nobody knows yet if the provider takes the credential. Its calls keep the limit of
    ///     theirs like all others with it, and besides ``candidateLimit`` and one circuit breaker with all other
    ///     candidates, so that trying many costs the provider no more than trying few.
    ///   - scope: a part of the provider that counts and fails for itself, such as a model; a word without secrets.
    ///   - limit: shared by all processes that use the same database, provider, credential and scope.
    ///   - quotas: what is counted besides, likewise.
    ///   - dailyShare: the most requests of a day (UTC) that one person may cause with this credential, the
    ///     installation's own, in all processes; `nil` for any number. It is counted by provider, and for requests that
    ///     have a person.
    ///   - classify: what an answer means.
    ///   - quotaReset: when the provider's allowance starts anew, as an answer tells it.
    ///   - weight: what a request weighed, as its answer tells it; see ``UpstreamRequest/weight``.
    package init(
        runtime: UpstreamRuntime, provider: String, baseURL: BaseURL, credential: Secret?,
        isCandidate: Bool = false, scope: String? = nil, limit: PermitLimit, quotas: [PermitQuota] = [],
        limits: TransferLimits = TransferLimits(), policy: RetryPolicy = RetryPolicy(),
        dailyShare: Int? = nil,
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
        gate = runtime.gate(of: candidatesKey ?? key)
    }

    /// The provider's answer, whatever its status, after the retries that its verdicts asked for.
    ///
    /// - Throws: ``UpstreamError`` when no answer came, or none can come soon enough; `CancellationError`; or what
    ///   Storage throws.
    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        guard let candidates else { return try await perform(request) }
        let turn = try await candidates.acquire(
            request.urgency, person: request.person, totalTimeout: limits.totalTimeout, patience: policy.patience, deadline: nil)
        let result: Result<UpstreamResponse, any Error>
        do {
            result = .success(try await perform(request))
        } catch {
            result = .failure(error)
        }
        await candidates.release(turn, PermittedEnd(at: .now()))
        return try result.get()
    }

    /// What a request of a person takes from.
    func share(of person: String?) -> CallShare? {
        guard let dailyShare, let person, person != SystemUser.id else { return nil }
        return CallShare(provider: provider, userID: person, limit: dailyShare)
    }

    private func perform(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        var call = UpstreamCall(client: self, request: request, number: runtime.beginCall(to: provider))
        return try await call.run()
    }
}
