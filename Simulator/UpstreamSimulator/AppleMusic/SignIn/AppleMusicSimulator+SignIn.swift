import Foundation

extension AppleMusicSimulator {
    /// The folder of the script and of the pages that it opens. Apple serves them from other hosts than the API.
    static let signInFolder = "apple-music-web"

    /// MusicKit on the Web, and the page on which a person gives an app access.
    func signIn(_ call: Call) -> Answer {
        switch (call.method, call.target.path) {
        case (.get, "/\(Self.signInFolder)/musickit.js"):
            Answer(
                status: 200, contentType: "text/javascript; charset=utf-8", body: SignInScript.text(origin: call.origin)
            )
        case (.get, "/\(Self.signInFolder)/authorize"): consent(call) { app, _ in Self.consentPage(app: app) }
        case (.post, "/\(Self.signInFolder)/authorize"): consent(call) { _, origin in decide(call, tell: origin) }
        case (.post, "/\(Self.signInFolder)/logout"): logOut(call.body)
        default: Answer(status: 404, contentType: "text/html; charset=utf-8", body: FaultRule.page)
        }
    }

    /// Checks the app's request: its developer token must be for pages, and one of them must have opened the window.
    private func consent(_ call: Call, then answer: (_ app: String, _ origin: String) -> Answer) -> Answer {
        guard let token = call.target["token"].flatMap({ DeveloperToken($0) }), isGood(token) else {
            return ConsentPage.refusal("The app's developer token is wrong, or too old.")
        }
        guard let origin = token.origins?.first else {
            return ConsentPage.refusal("The app's developer token is not meant for pages: it names no origin.")
        }
        // A page that sends no referrer is unknown. The form on this page has the page itself as its referrer.
        let referrer = call.headers[.referer].map { $0.split(separator: "/").prefix(2).joined(separator: "//") }
        guard let referrer, token.origins?.contains(referrer) == true || referrer == call.origin else {
            return ConsentPage.refusal("The window was not opened by a page of the app's origin.")
        }
        return answer(call.target["app"] ?? "", origin)
    }

    private static func consentPage(app: String) -> Answer {
        ConsentPage(
            title: "Give \(app) access to Apple Music",
            introduction: [
                "This is upstream-sim, a stand-in for Apple.",
                "The app will be able to read your library and what you played, and to add to your library.",
            ],
            buttons: [("Allow", "allow"), ("Cancel", "cancel")]
        ).answer
    }

    private func decide(_ call: Call, tell origin: String) -> Answer {
        switch call.form?["decision"] {
        case "allow": Self.closing(token: makeUserToken(), origin: origin)
        case "cancel": Self.closing(token: nil, origin: origin)
        default: ConsentPage.refusal("Press one of the buttons.")
        }
    }

    /// The last page in the window, which answers its opener.
    private static func closing(token: String?, origin: String) -> Answer {
        let answer = token.map { "{ token: \"\($0)\" }" } ?? "{}"
        return Answer(
            status: 200, contentType: "text/html; charset=utf-8",
            body: """
                <!DOCTYPE html>
                <html lang="en">
                <head><meta charset="utf-8"><title>Done</title></head>
                <body><main><h1>Done</h1><p>You can close this window.</p></main>
                <script>opener?.postMessage(\(answer), "\(ConsentPage.escape(origin))");</script>
                </body>
                </html>

                """,
            headers: [("Cache-Control", "no-store")])
    }

    /// `unauthorize()` of the script: the token ends.
    private func logOut(_ token: String) -> Answer {
        endUserToken(token)
        return Answer(document: [String: String]())
    }
}
