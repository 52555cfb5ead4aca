import Accounts
import Hummingbird

/// The cookie by which a browser that went to Google is known again when it comes back.
struct SignInBrowserCookie {
    /// Whether it travels over TLS alone.
    let isSecure: Bool

    private var name: String { Cookie.name("backline_sign_in", isSecure: isSecure) }

    /// One that is there stays, so that several windows may sign in at once.
    func browser(of request: Request) -> SignInBrowser? {
        request.cookie(name).map { SignInBrowser(secret: $0) }
    }

    func set(_ browser: SignInBrowser) -> Cookie {
        cookie(browser.secret.reveal(), seconds: Int(GoogleAuthorizations.lifetime.components.seconds))
    }

    var cleared: Cookie { cookie("", seconds: 0) }

    private func cookie(_ value: String, seconds: Int) -> Cookie {
        // Lax, since the way back begins on Google's page.
        Cookie(
            name: name, value: value, maxAge: seconds, path: isSecure ? "/" : "/v1/auth/google", secure: isSecure,
            httpOnly: true, sameSite: .lax)
    }
}
