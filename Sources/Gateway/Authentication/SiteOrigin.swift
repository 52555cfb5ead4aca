import HTTPTypes
import Hummingbird

/// Distinguishes the site's own pages from others by the `Origin` that browsers send with every request that may change
/// something (fetch.spec.whatwg.org, "HTTP extensions").
package struct SiteOrigin: Sendable {
    /// `http.publicURL`, in the spelling of browsers.
    let publicURL: String?

    /// Whether browsers reach the site over TLS.
    package var isSecure: Bool { publicURL?.hasPrefix("https:") == true }

    /// Whether the request comes from one of the site's own pages; `nil` when nothing says where it comes from.
    ///
    /// If `publicURL` is https, the origin has to equal it: anybody on the network can serve a page of the same host
    /// over plain http. Otherwise the origin's host and port have to equal the request's. Its scheme is not compared:
    /// behind a proxy the gateway does not know the right one, and somebody who can serve a page from that host and
    /// port controls the host anyway.
    package func isOrigin(of request: Request) -> Bool? {
        guard let origin = request.headers[.origin]?.lowercased() else { return nil }
        if origin == publicURL { return true }
        if isSecure { return false }
        for (prefix, standardPort) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(prefix) {
            func withoutStandardPort(_ text: String) -> String {
                text.hasSuffix(standardPort) ? String(text.dropLast(standardPort.count)) : text
            }
            guard let host = request.head.authority?.lowercased(), !host.isEmpty else { return false }
            return withoutStandardPort(String(origin.dropFirst(prefix.count))) == withoutStandardPort(host)
        }
        return false
    }
}
