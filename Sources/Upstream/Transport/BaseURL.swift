import CCurl
import Model
import Platform

/// The base URL of a provider's API: scheme, host, port, and the path to which the path of each request is appended.
///
/// Plain `http` is allowed only to this machine, because every call carries a secret.
package struct BaseURL: Sendable, Equatable, CustomStringConvertible {
    /// Normalized, without a trailing slash.
    package let text: String
    /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or `::1`.
    package let isLoopback: Bool

    package var description: String { text }

    /// The hosts for which plain `http` is allowed.
    package enum PlainHTTP: Sendable {
        case thisMachine
        /// Also addresses of a private network, for a server that the administrator runs there.
        case privateNetwork
        case anywhere
    }

    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``, which says what is wrong with `text` and what is allowed.
    package init(_ text: String, plainHTTP: PlainHTTP = .thisMachine) throws(UpstreamError) {
        guard let url = curl_url() else { throw .invalidBaseURL("no memory to read it") }
        defer { curl_url_cleanup(url) }
        let example = "write it like https://app.example.com/v2"
        // Checked first, because the later messages quote `text`, which may contain a password in this case.
        guard !text.contains("@") else {
            throw .invalidBaseURL("it contains a username; credentials are configured separately")
        }
        let code = curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER | CURLU_PATH_AS_IS))
        guard code == CURLUE_OK else {
            let reason = String(cString: curl_url_strerror(code))
            throw .invalidBaseURL("\"\(withoutQuery(text))\" is not a URL (\(reason)); \(example)")
        }
        func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &value, flags) == CURLUE_OK, let value else { return nil }
            defer { curl_free(value) }
            return String(cString: value)
        }
        guard part(CURLUPART_QUERY) == nil, part(CURLUPART_FRAGMENT) == nil else {
            throw .invalidBaseURL("\"\(withoutQuery(text))\" continues with ? or #; it must end with the path")
        }
        guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST),
            let path = part(CURLUPART_PATH), let whole = part(CURLUPART_URL)
        else {
            throw .invalidBaseURL("\"\(text)\" names no host; \(example)")
        }
        guard scheme == "https" || scheme == "http" else {
            throw .invalidBaseURL("\"\(text)\" is neither https nor http; \(example)")
        }
        guard path.utf8.allSatisfy(\.isAllowedInURLPaths) else {
            throw .invalidBaseURL("the path of \"\(text)\" contains characters that must be percent-encoded")
        }
        // libcurl has normalized an IPv4 address, and left an IPv6 address in brackets.
        let bareHost = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
        isLoopback = NetworkHost.isLoopback(bareHost)
        let isAllowed =
            switch plainHTTP {
            case .thisMachine: isLoopback
            case .privateNetwork: isLoopback || NetworkHost.isPrivate(bareHost)
            case .anywhere: true
            }
        guard scheme == "https" || isAllowed else {
            throw .invalidBaseURL("\"\(text)\" would send secrets in the clear; plain http is only for this machine")
        }
        var trimmed = Substring(whole)
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        self.text = String(trimmed)
    }
}

/// `text` up to its first `?` or `#`, since a query or fragment may contain a key.
func withoutQuery(_ text: String) -> String {
    String(text.prefix { $0 != "?" && $0 != "#" })
}
