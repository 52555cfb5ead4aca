import Foundation
import Model
import Platform
import Telemetry

extension BacklineConfiguration.HTTP {
    /// The warning that the gateway is behind a proxy that `http.trustedProxies` does not list, so that all clients
    /// appear to have the proxy's address; `nil` when nothing suggests such a proxy.
    ///
    /// A proxy is assumed where the gateway listens on a loopback address and `http.publicURL` names another host.
    package var proxyWarning: String? {
        guard let publicURL, trustedProxies.isEmpty, NetworkHost.isLoopback(host),
            let publicHost = URLComponents(string: publicURL)?.host,
            !NetworkHost.isLoopback(publicHost.trimmingCharacters(in: CharacterSet(charactersIn: "[]")))
        else { return nil }
        return "http.publicURL is \(publicURL) and the gateway listens only on \(host), so it is behind a proxy. "
            + "http.trustedProxies is empty, so all clients have the proxy's address: one that sends wrong tokens, "
            + "wrong sign-ins or many requests slows down all others, and /metrics needs a token."
    }

    /// Who may read `/metrics`. Behind a proxy that the configuration does not list, only administrators may: every
    /// request comes from this machine, and the proxy may not mark the requests that it forwards.
    package var metricsAccess: MetricsAccess { metrics == .local && proxyWarning != nil ? .token : metrics }

    /// The remedy for ``proxyWarning``.
    package static let proxyAdvice =
        "Set http.trustedProxies to the proxy's address (127.0.0.1, ::1), and let the proxy set X-Forwarded-For."
}
