import HTTPTypes

/// The additional permissions of a page: to load another site's scripts, and to open that site's windows.
///
/// Such a page is always a document of its own: no other page runs beside those scripts.
package struct PagePolicy: Sendable, Equatable {
    /// Where scripts may come from.
    var scripts: [String]
    /// Which origins scripts may call.
    var connections: [String]
    /// Which origins may be framed.
    var frames: [String]

    package init(scripts: [String], connections: [String], frames: [String]) {
        (self.scripts, self.connections, self.frames) = (scripts, connections, frames)
    }
}

/// The security headers of a document.
struct PageHeaders: Sendable {
    /// What the service worker may load: the pictures of the notifications that it shows, and no scripts or data.
    static let serviceWorkerPolicy = "default-src 'none'; img-src 'self'"

    let contentSecurityPolicy: String
    let crossOriginOpenerPolicy: String
    let referrerPolicy: String

    /// Scripts and styles come only from the assets, and pictures from this site (w3.org/TR/CSP3). Audio comes from the
    /// services that have previews.
    ///
    /// - Parameters:
    ///   - mediaSources: the origins from which pages may play audio.
    ///   - policy: `nil` for most pages.
    init(mediaSources: [String], policy: PagePolicy? = nil) {
        func list(_ directive: String, _ sources: [String]?) -> String {
            ([directive, "'self'"] + (sources ?? [])).joined(separator: " ")
        }
        var directives = [
            "default-src 'none'", list("script-src", policy?.scripts), "style-src 'self'", "font-src 'self'",
            "worker-src 'self'", "manifest-src 'self'", "img-src 'self' data:",
            (["media-src"] + (mediaSources.isEmpty ? ["'none'"] : mediaSources)).joined(separator: " "),
            list("connect-src", policy?.connections), "form-action 'self'", "base-uri 'none'",
            "frame-ancestors 'none'",
        ]
        if let policy { directives.append((["frame-src"] + policy.frames).joined(separator: " ")) }
        contentSecurityPolicy = directives.joined(separator: "; ")
        // A window that the page opens at another site answers through its opener, and checks who opened it.
        crossOriginOpenerPolicy = policy == nil ? "same-origin" : "same-origin-allow-popups"
        referrerPolicy = policy == nil ? "no-referrer" : "strict-origin"
    }
}
