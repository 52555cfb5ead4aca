import Accounts
import Hummingbird
import Model

/// The cookie by which a browser is signed in.
package struct SessionCookie: Sendable {
    /// Whether browsers send it over TLS only.
    package let isSecure: Bool

    var name: String { Cookie.name("backline_session", isSecure: isSecure) }

    /// The session of a request, if its cookie could be one.
    package func session(of request: Request) -> SessionToken? {
        request.cookie(name).map { SessionToken(secret: $0) }
    }

    /// The cookie of a session, which browsers keep until `end`.
    package func set(_ key: SessionToken, until end: Timestamp) -> Cookie {
        let rest = max(Timestamp.now().duration(to: end), .zero).components
        return cookie(key.secret.reveal(), seconds: Int(rest.seconds) + (rest.attoseconds > 0 ? 1 : 0))
    }

    package var cleared: Cookie { cookie("", seconds: 0) }

    private func cookie(_ value: String, seconds: Int) -> Cookie {
        // Lax, so that people who follow a link from elsewhere to a page are signed in.
        Cookie(name: name, value: value, maxAge: seconds, path: "/", secure: isSecure, httpOnly: true, sameSite: .lax)
    }
}

extension Cookie {
    /// The name of a cookie, with the prefix `__Host-` where browsers accept that. They accept a cookie with such a
    /// name only if it is secure, has no domain and is for all paths (RFC 6265bis, section 4.1.3.2), so a site on a
    /// sibling host cannot set it.
    ///
    /// - Parameter isSecure: whether the site has TLS, without which browsers refuse the prefix.
    package static func name(_ name: String, isSecure: Bool) -> String {
        isSecure ? "__Host-" + name : name
    }
}
