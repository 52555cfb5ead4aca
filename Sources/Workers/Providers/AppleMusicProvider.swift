import AppleMusic
import Model
import Upstream

/// Apple Music, with keys and tokens that people have entered.
package struct AppleMusicProvider: OpenedProvider {
    private let candidateCalls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
        candidateCalls = try providers.calls(
            .appleMusic, by: runtime, forCandidates: true, timeout: RetryPolicy.interactiveTimeout)
    }

    /// A client for verifying keys and a token while somebody waits.
    func client(candidate key: AppleMusicDeveloperKey, userToken: Secret) -> AppleMusicClient {
        AppleMusicClient(
            developerKey: key, userToken: userToken, send: candidateCalls(userToken, .interactive).send)
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func appleMusic() throws -> AppleMusicProvider {
        try opened { try AppleMusicProvider(providers: self, runtime: $0) }
    }
}
