import HTTPTypes
import Hummingbird

/// Tells the site's own pages from others by the `Origin` that browsers send with every request that
/// may change something (fetch.spec.whatwg.org, "HTTP extensions").
struct SiteOrigin: Sendable {
    /// `http.publicURL`.
    let publicURL: String?

    /// Whether the request comes from one of the site's own pages; `nil` when nothing says where it comes from.
    ///
    /// The origin is compared with the request's host. Its scheme is not: behind a proxy that ends TLS the
    /// gateway does not see it, and who can put a page of that host and port before somebody has the host.
    func isOrigin(of request: Request) -> Bool? {
        guard let origin = request.headers[.origin]?.lowercased() else { return nil }
        if origin == publicURL { return true }
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
