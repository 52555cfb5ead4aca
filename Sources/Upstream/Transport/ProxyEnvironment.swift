/// The proxies that libcurl finds in the environment (curl(1), "ENVIRONMENT").
enum ProxyEnvironment {
    /// Whether requests of a scheme take a proxy, unless `no_proxy` names their host.
    ///
    /// - Parameters:
    ///   - isSecure: whether the scheme is https.
    ///   - value: the value of an environment variable; `nil` for none.
    static func hasProxy(isSecure: Bool, _ value: (_ name: String) -> String?) -> Bool {
        // A CGI program's client could set HTTP_PROXY, so libcurl does not read it. Empty ones count as missing.
        let own = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (own + ["all_proxy", "ALL_PROXY"]).contains { value($0)?.isEmpty == false }
    }
}
