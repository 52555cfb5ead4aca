import Bootstrap
import Model
import Upstream

extension ProviderSet {
    /// Makes clients of one upstream, each with its own credential. All of them share the runtime's permits.
    ///
    /// - Parameters:
    ///   - server: a server that the upstream has named; `nil` for the configured one.
    ///   - scope: a part of the upstream with its own limits, such as a model.
    ///   - quotas: further limits, besides the configured one that every upstream has.
    ///   - forCandidates: whether the credentials are not verified yet (``UpstreamClient``).
    ///   - timeout: the longest time of a request, including connecting, if shorter than the configured one.
    ///   - dailyShare: the most requests per day that count for one person (``UpstreamClient``).
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
    /// For calls while somebody waits in front of a page, for at most 15 s. Each attempt has ``interactiveTimeout``.
    static let interactive = RetryPolicy(maximumAttempts: 2, waitLimit: .seconds(5))
    /// Two attempts and the pause between them end within those 15 s.
    static let interactiveTimeout = Duration.seconds(6)
}
