import Bootstrap
import Model
import Upstream

extension ProviderSet {
    /// Makes clients of one upstream, each with a credential of its own; all share the runtime's permits.
    ///
    /// - Parameters:
    ///   - server: one that the upstream itself has named; `nil` is the configured one.
    ///   - scope: a part of the upstream that counts for itself, such as a model.
    ///   - quotas: what its requests are counted by besides the limit that is configured for every upstream.
    ///   - forCandidates: whether nobody knows yet if the upstream takes the credentials (``UpstreamClient``).
    ///   - timeout: for a whole request, connecting included, where the configured time is too long.
    ///   - dailyShare: the most requests of a day that count for one person (``UpstreamClient``).
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    func calls(
        _ name: UpstreamName, by runtime: UpstreamRuntime, at server: BaseURL? = nil, scope: String? = nil,
        quotas: [PermitQuota] = [], forCandidates: Bool = false, timeout: Duration? = nil,
        dailyShare: Int? = nil,
        classify: @escaping @Sendable (UpstreamResponse) -> ResponseVerdict = { .standard($0) },
        quotaReset: @escaping @Sendable (UpstreamResponse) -> Timestamp? = { _ in nil },
        weight: @escaping @Sendable (UpstreamResponse) -> Int? = { _ in nil }
    ) throws -> @Sendable (_ credential: Secret?, _ policy: RetryPolicy) -> UpstreamClient {
        let upstream = configuration.upstreams[name]
        let baseURL = try server ?? BaseURL(upstream.baseURL)
        let limits = TransferLimits(totalTimeout: min(timeout ?? upstream.timeout, upstream.timeout))
        return { credential, policy in
            UpstreamClient(
                runtime: runtime, provider: name.rawValue, baseURL: baseURL, credential: credential,
                isCandidate: forCandidates, scope: scope,
                limit: PermitLimit(requests: upstream.requests, window: upstream.window), quotas: quotas,
                limits: limits, policy: policy, dailyShare: dailyShare, classify: classify, quotaReset: quotaReset,
                weight: weight)
        }
    }
}

extension RetryPolicy {
    /// Somebody looks at a form and waits: fifteen seconds are all there is. Each attempt has ``interactiveTimeout``.
    static let interactive = RetryPolicy(maximumAttempts: 2, patience: .seconds(5))
    /// Two of them, and the pause between, end before who waits gives up.
    static let interactiveTimeout = Duration.seconds(6)
}
