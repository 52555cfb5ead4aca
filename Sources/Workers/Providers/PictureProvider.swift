import Bootstrap
import Model
import Pictures
import Upstream

/// The servers of providers' pictures.
///
/// Each provider's have a limit of their own, shared by all processes, so that a scrolled list never floods them. They
/// have no circuit breaker: a picture that fails is not asked for again for a while, and one dead host must not hide
/// the pictures of the others.
package struct PictureProvider: OpenedProvider {
    /// Of each provider's servers.
    private static let limit = PermitLimit(requests: 40, window: .seconds(1))
    private static let limits = TransferLimits(
        connectTimeout: .seconds(3), totalTimeout: .seconds(6),
        maximumResponseBytes: CheckedPicture.maximumBytes + 65_536)
    /// A second attempt would come when the picture is scrolled past.
    private static let policy = RetryPolicy(maximumAttempts: 1, waitLimit: .seconds(3))

    private let hosts: MediaHosts
    private let runtime: UpstreamRuntime

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) {
        hosts = providers.configuration.pictureHosts
        self.runtime = runtime
    }

    /// Fetches a picture. A redirect is not followed.
    ///
    /// - Throws: ``PictureRefusal`` for what cannot be shown; ``PictureRefusal/notAllowed`` before anything is sent;
    ///   ``UpstreamError``; `CancellationError`.
    func picture(at address: String, acceptsWebP: Bool) async throws -> CheckedPicture {
        guard let provider = hosts.provider(of: address), let parts = MediaAddress(address) else {
            throw PictureRefusal.notAllowed
        }
        let client = UpstreamClient(
            runtime: runtime, provider: "pictures", baseURL: try BaseURL(parts.origin), credential: nil,
            scope: provider.rawValue, limit: Self.limit, limits: Self.limits, policy: Self.policy,
            hasCircuitBreaker: false,
            // Any answer ends the call, and none pauses the others.
            classify: { $0.isSuccess ? .success : .final })
        var request = UpstreamRequest(
            path: parts.path, headers: [("Accept", PictureFormat.acceptedTypes(webP: acceptsWebP))])
        request.encodedQuery = parts.query
        request.refusesPrivateAddresses = true
        let response = try await client.send(request)
        guard response.status == 200 else { throw PictureRefusal.notFound }
        return try CheckedPicture(response.body)
    }
}

extension ProviderSet {
    package func pictures() throws -> PictureProvider {
        try opened { PictureProvider(providers: self, runtime: $0) }
    }
}
