import Model

extension BacklineConfiguration.HTTP {
    /// What an operator is to be warned of whose proxy is not named: through it everybody comes from one address.
    package var proxyWarning: String? {
        guard let publicURL, trustedProxies.isEmpty, NetworkHost.isLoopback(host) else { return nil }
        return "http.publicURL is \(publicURL) and the gateway listens on \(host) alone, so a proxy stands before it; "
            + "http.trustedProxies does not name it, so that everybody has the proxy's address, and one who sends "
            + "wrong tokens or sign-ins, or many requests, slows all others."
    }

    /// What mends it.
    package static let proxyAdvice =
        "Set http.trustedProxies to the proxy's address (127.0.0.1, ::1), and let the proxy set X-Forwarded-For."
}
