import Bootstrap
import Model
import Pictures
import Upstream

/// The servers of providers' pictures.
///
/// The servers of each provider have their own limit, shared by all processes, so a scrolled list never floods them.
/// There is no circuit breaker: a picture that failed is not requested again for a while, and one dead host must not
/// hide the other hosts' pictures.
package struct PictureProvider: OpenedProvider {
    /// The limit for the servers of one provider.
    private static let limit = PermitLimit(requests: 40, window: .seconds(1))
    private static let limits = TransferLimits(
        connectTimeout: .seconds(3), totalTimeout: .seconds(6),
        maximumResponseBytes: CheckedPicture.maximumBytes + 65_536)
    /// A second attempt would arrive after the picture was scrolled past.
    private static let policy = RetryPolicy(maximumAttempts: 1, waitLimit: .seconds(3))

    private let hosts: MediaHosts
    private let runtime: UpstreamRuntime

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) {
        let configuration = providers.configuration
        hosts = configuration[PictureSettings.self].hosts(baseURLs: configuration.upstreams.baseURLs)
        self.runtime = runtime
    }

    /// Fetches a picture. A redirect is not followed.
    ///
    /// - Throws: ``PictureRefusal`` for anything that cannot be shown, ``PictureRefusal/notAllowed`` before anything is
    ///   sent; ``UpstreamError``; `CancellationError`.
    package func picture(at address: String, acceptsWebP: Bool) async throws -> CheckedPicture {
        guard let provider = hosts.provider(of: address), let parts = MediaAddress(address) else {
            throw PictureRefusal.notAllowed
        }
        let origin = try BaseURL(parts.origin)
        let client = UpstreamClient(
            runtime: runtime, provider: "pictures", baseURL: origin, credential: nil,
            scope: provider.rawValue, limit: Self.limit, limits: Self.limits, policy: Self.policy,
            hasCircuitBreaker: false,
            // Every answer ends the call, and none pauses other calls.
            classify: { $0.isSuccess ? .success : .final })
        var request = UpstreamRequest(
            path: parts.path, headers: [("Accept", PictureFormat.acceptedTypes(webP: acceptsWebP))])
        request.encodedQuery = parts.query
        // Only a simulated upstream, which the administrator has configured, is on this machine.
        request.allowedAddresses = origin.isLoopback ? .thisMachine : .publicInternet
        let response = try await client.send(request)
        guard response.status == 200 else {
            let hasFailed = response.status >= 500 || [408, 425, 429].contains(response.status)
            throw hasFailed ? PictureRefusal.serverFailed : .notFound
        }
        return try CheckedPicture(response.body)
    }
}

extension ProviderSet {
    package func pictures() throws -> PictureProvider {
        try opened { PictureProvider(providers: self, runtime: $0) }
    }
}
