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
        for header in request.headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: \.isWhitespace) == name, parts[1].utf8.count <= 200
                else { continue }
                return SessionKey(secret: Secret(String(parts[1])))
            }
        }
        return nil
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
