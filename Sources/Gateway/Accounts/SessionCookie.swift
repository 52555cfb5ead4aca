import Accounts
import Hummingbird
import Model

/// The cookie by which a browser is signed in.
struct SessionCookie: Sendable {
    static let name = "backline_session"

    /// Whether it travels over TLS alone.
    let isSecure: Bool

    /// The session of a request, if its cookie could be one.
    static func session(of request: Request) -> SessionKey? {
        request.cookie(name).map { SessionKey(secret: $0) }
    }

    /// Sets the cookie for as long as the session lasts when nobody uses it.
    func set(_ key: SessionKey) -> Cookie {
        cookie(key.secret.reveal(), seconds: Int(Accounts.sessionLifetime.components.seconds))
    }

    var cleared: Cookie { cookie("", seconds: 0) }

    private func cookie(_ value: String, seconds: Int) -> Cookie {
        // Lax, so that a link from elsewhere to a page finds its reader signed in.
        Cookie(
            name: Self.name, value: value, maxAge: seconds, path: "/", secure: isSecure, httpOnly: true, sameSite: .lax)
    }
}
