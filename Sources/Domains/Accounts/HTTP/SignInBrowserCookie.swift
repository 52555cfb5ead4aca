import Accounts
import Gateway
import Hummingbird
import Vault

/// The cookie that binds an attempt to sign in with Google to its browser.
struct SignInBrowserCookie {
    /// Whether browsers send it over TLS only.
    let isSecure: Bool

    private var name: String { Cookie.name("backline_sign_in", isSecure: isSecure) }

    /// The browser of a request. It keeps its cookie, so that several windows may sign in at once.
    func browser(of request: Request) -> SignInBrowser? {
        request.cookie(name).map { SignInBrowser(secret: $0) }
    }

    func set(_ browser: SignInBrowser) -> Cookie {
        cookie(browser.secret.reveal(), seconds: Int(AuthorizationFlow.lifetime.components.seconds))
    }

    var cleared: Cookie { cookie("", seconds: 0) }

    private func cookie(_ value: String, seconds: Int) -> Cookie {
        // Lax, since the redirect back comes from Google's site.
        Cookie(
            name: name, value: value, maxAge: seconds, path: isSecure ? "/" : "/v1/auth/google", secure: isSecure,
            httpOnly: true, sameSite: .lax)
    }
}
