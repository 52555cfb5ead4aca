import Bootstrap
import Gemini
import Model
import Upstream

/// Gemini, with keys that people have entered.
package struct GeminiProvider: OpenedProvider {
    private let candidateCalls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
    private let modelCalls: @Sendable (_ key: Secret, _ model: String) throws -> UpstreamClient

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
        let quotas = Self.quotas(providers.configuration.upstreams[.gemini])
        modelCalls = { [providers] key, model in
            try providers.calls(
                .gemini, by: runtime, scope: model, quotas: quotas, classify: { GeminiClient.classify($0) },
                quotaReset: { GeminiClient.quotaReset($0) }, weight: { GeminiClient.inputTokens($0) })(
                    key, RetryPolicy())
        }
        candidateCalls = try providers.calls(
            .gemini, by: runtime, forCandidates: true, timeout: RetryPolicy.interactiveTimeout,
            classify: { GeminiClient.classify($0) })
    }

    /// A client for verifying a key while somebody waits.
    package func client(candidate key: Secret) -> GeminiClient {
        GeminiClient(key: key, send: candidateCalls(key, .interactive).send)
    }

    /// Makes calls to one model, under the limits that Google counts per model. The weight of a request is the
    /// estimated number of its input tokens (``UpstreamRequest/weight``).
    ///
    /// - Parameter model: its name without `models/`.
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func calls(key: Secret, model: String) throws -> UpstreamClient {
        try modelCalls(key, model)
    }

    /// The quotas besides requests per minute. A day counts as 25 hours, the length of the longest day of a year in
    /// California.
    private static func quotas(_ upstream: BacklineConfiguration.Upstream) -> [PermitQuota] {
        var quotas: [PermitQuota] = []
        if upstream.tokensPerMinute > 0 {
            quotas.append(
                PermitQuota(
                    name: "tokensPerMinute", unit: .weight, amount: upstream.tokensPerMinute, window: .seconds(60)))
        }
        if upstream.requestsPerDay > 0 {
            quotas.append(
                PermitQuota(
                    name: "requestsPerDay", unit: .requests, amount: upstream.requestsPerDay,
                    window: .seconds(25 * 3_600), endsAtReset: true))
        }
        return quotas
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func gemini() throws -> GeminiProvider {
        try opened { try GeminiProvider(providers: self, runtime: $0) }
    }
}
