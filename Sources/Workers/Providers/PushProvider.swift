import Bootstrap
import Model
import Push
import PushServices
import Synchronization
import Upstream

/// Push services of browsers, and ntfy servers.
package struct PushProvider: OpenedProvider {
    package let ntfy: NtfyClient
    private let hosts: PushHosts
    private let contact: VAPIDContact?
    private let signers = Signers()

    /// The clients of Web Push by the keys that they sign with, so that each token is used for hours. An installation
    /// has one pair of keys.
    private final class Signers: Sendable {
        let latest = Mutex<(publicKey: String, client: WebPushClient)?>(nil)
    }

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) {
        let configuration = providers.configuration
        contact = configuration[PushSettings.self].contact(publicURL: configuration.http.publicURL)
        hosts = .webPush(runtime)
        ntfy = NtfyClient(hosts: .ntfy(runtime))
    }

    /// Sends to browsers in the name of an installation.
    ///
    /// - Returns: `nil` if the installation has no contact that push services accept (``PushSettings``).
    package func webPush(keys: VAPIDKeyPair) -> WebPushClient? {
        guard let contact else { return nil }
        return signers.latest.withLock { latest in
            if let latest, latest.publicKey == keys.publicKey { return latest.client }
            let client = WebPushClient(hosts: hosts, tokens: VAPIDTokens(keys: keys, contact: contact))
            latest = (keys.publicKey, client)
            return client
        }
    }
}

extension ProviderSet {
    package func pushes() throws -> PushProvider {
        try opened { PushProvider(providers: self, runtime: $0) }
    }
}
