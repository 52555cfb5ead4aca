import Gemini
import Model
import Upstream

/// Gemini, with keys that people have entered.
package struct GeminiProvider: OpenedProvider {
    private let candidateCalls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
        candidateCalls = try providers.calls(
            .gemini, by: runtime, forCandidates: true, timeout: RetryPolicy.interactiveTimeout,
            classify: { GeminiClient.classify($0) })
    }

    /// For a key that is to be proven while somebody waits.
    func client(candidate key: Secret) -> GeminiClient {
        GeminiClient(key: key, send: candidateCalls(key, .interactive).send)
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func gemini() throws -> GeminiProvider {
        try opened { try GeminiProvider(providers: self, runtime: $0) }
    }
}
