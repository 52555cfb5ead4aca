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

    /// For a key that is to be proven while somebody waits.
    func client(candidate key: Secret) -> GeminiClient {
        GeminiClient(key: key, send: candidateCalls(key, .interactive).send)
    }

    /// For what a model is asked, with the limits that Google counts for each model. Requests weigh the input tokens
    /// that they are estimated to have (``UpstreamRequest/weight``).
    ///
    /// - Parameter model: its name without `models/`.
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func calls(key: Secret, model: String) throws -> UpstreamClient {
        try modelCalls(key, model)
    }

    /// Besides the requests of a minute. Once a year a day in California has 25 hours.
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
