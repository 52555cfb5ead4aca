import Foundation
import TestProcesses
import Testing

@Suite("Refused sign-ins with Google", .timeLimit(.minutes(20)))
struct GoogleRefusalTests {
    private static let otherClient = "another-app.apps.googleusercontent.com"

    /// A defect of an ID token, and the code that names it.
    struct Defect: Sendable {
        var code: String
        var claims: [String: JSON] = [:]
        var order: [String: JSON] = [:]
        var nonce: String?
    }

    private static let defects: [Defect] = [
        Defect(code: "idTokenAlgorithmWrong", order: ["algorithm": "none"]),
        Defect(code: "idTokenAlgorithmWrong", order: ["algorithm": "HS256"]),
        Defect(code: "idTokenKeyUnknown", order: ["key": "unknown"]),
        Defect(code: "idTokenSignatureWrong", order: ["key": "forged"]),
        Defect(code: "idTokenIssuerWrong", claims: ["iss": "https://accounts.example.com"]),
        Defect(code: "idTokenAudienceWrong", order: ["audience": .string(otherClient)]),
        Defect(code: "idTokenAudienceWrong", claims: ["azp": .string(otherClient)]),
        Defect(code: "idTokenExpired", order: ["issuedSecondsAgo": 7_200]),
        Defect(code: "idTokenNotYetValid", order: ["issuedSecondsAgo": -300]),
        Defect(code: "idTokenNonceWrong", nonce: "of-another-sign-in"),
        Defect(code: "idTokenNonceWrong", claims: ["nonce": nil], nonce: nil),
        Defect(code: "idTokenMalformed", claims: ["sub": nil]),
    ]

    @Test("An ID token with a defect signs nobody in, and the code names the defect")
    func defectiveTokens() async throws {
        try await GoogleInstallation.run { google in
            for defect in Self.defects {
                let idToken = try await google.simulator.mintIDToken(
                    nonce: defect.nonce, claims: defect.claims, defect.order)
                let expected = defect.code == "idTokenNonceWrong" ? "of-this-one" : nil
                let response = try await google.send(idToken, nonce: expected)
                #expect(try response.status == 401 && response.problem.code == defect.code, "\(defect)")
            }
            for text in ["nothing", "a.b.c", "e30.e30.", "e30.e30.e30.e30", "äöü.e30.e30"] {
                #expect(try await google.send(text).problem.code == "idTokenMalformed", "\(text)")
            }
            let changed = try await google.simulator.mintIDToken().split(separator: ".")
            let claims = Data(#"{"iss":"https://accounts.google.com","sub":"me"}"#.utf8).base64EncodedString()
            #expect(
                try await google.send("\(changed[0]).\(claims).\(changed[2])").problem.code
                    == "idTokenSignatureWrong")
            #expect(try await google.send(String(repeating: "x", count: 9_000)).status == 422)
            #expect(try await google.base.visitor.post("/v1/auth/google", "{}").status == 422)
            #expect(try await google.isUntouched())
            // A token without any of these defects is accepted.
            let right = try await google.simulator.mintIDToken(
                nonce: "of-this-one", claims: ["iss": "accounts.google.com", "azp": nil])
            #expect(try await google.send(right, nonce: "of-this-one").status == 200)
        }
    }

    @Test("Any configured client is accepted, and a person is the same user through all of them")
    func severalClients() async throws {
        let clients = "\(Simulator.googleClientID), \(Self.otherClient)"
        try await GoogleInstallation.run(environment: [:]) { google in
            await google.base.running("sync-worker").first?.destroy()
            _ = try await google.base.startWorker(.sync, environment: ["BACKLINE_GOOGLE_CLIENT_IDS": clients])
            let first = try await google.appUser().1.user.id
            let other = try await google.simulator.mintIDToken(["audience": .string(Self.otherClient)])
            #expect(try await google.send(other).decode(GoogleInstallation.SignInAnswer.self).user.id == first)
        }
    }

    @Test("Keys that Google changes are fetched again, and invented key ids do not cause many calls")
    func rotatedKeys() async throws {
        try await GoogleInstallation.run { google in
            try await google.upstream.configure(["keysMaxAgeSeconds": 0])
            _ = try await google.appUser()
            try await google.simulator.rotateGoogleKeys()
            // The keys are never fresh, but unknown key ids cause at most one fetch per minute.
            for _ in 0..<5 {
                let unknown = try await google.simulator.mintIDToken(["key": "unknown"])
                #expect(try await google.send(unknown).problem.code == "idTokenKeyUnknown")
            }
            #expect(try await google.upstream.calls(Simulator.googleKeys) == 1)
            // A new worker fetches the new key.
            await google.base.running("sync-worker").first?.destroy()
            _ = try await google.base.startWorker(.sync)
            _ = try await google.appUser()
            #expect(try await google.upstream.calls(Simulator.googleKeys) == 2)
        }
    }

    @Test("A state is valid once, and only in the browser that started the sign-in")
    func stateOfASignIn() async throws {
        try await GoogleInstallation.run { google in
            let (browser, other) = (google.browser(), google.browser())
            let begun = try await other.open(GoogleInstallation.startPath).setCookies
            #expect(begun.count == 1)
            for attribute in ["HttpOnly", "SameSite=Lax", "Path=/v1/auth/google", "Max-Age=600"] {
                #expect(begun.first?.contains(attribute) == true, "\(begun)")
            }
            let back = try await google.decide(at: google.begin(browser, returnTo: "/library"))
            for stranger in [other, google.browser()] {
                #expect(try await stranger.open(back.target).location == "/sign-in?code=stateUnknown")
                #expect(stranger.cookies["backline_session"] == nil)
            }
            let locations = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<4 {
                    let cookies = browser.cookies
                    group.addTask {
                        let window = google.browser()
                        window.cookies = cookies
                        return try await window.open(back.target).location
                    }
                }
                return try await group.reduce(into: [String]()) { $0.append($1 ?? "") }
            }
            #expect(locations.filter { $0 == "/library" }.count == 1)
            #expect(locations.filter { $0.hasPrefix("/sign-in?code=stateUnknown") }.count == 3)
            #expect(try await browser.open(back.target).location == "/sign-in?code=stateUnknown")
            for made in ["?state=x&code=y", "?code=y", ""] {
                let location = try await browser.open("/v1/auth/google/callback" + made).location
                #expect(location == "/sign-in?code=stateUnknown")
            }
            #expect(try await google.upstream.calls("POST /google/token") == 1)
            // A code that Google issued for another browser's request.
            let url = try await google.begin(browser)
            let nonce = URLComponents(string: url)?.queryItems?.first { $0.name == "nonce" }?.value ?? ""
            let injected = try await google.decide(at: url.replacing(nonce, with: "of-another-request"))
            #expect(try await browser.open(injected.target).location == "/sign-in?code=idTokenNonceWrong")
            #expect(try await google.count("SELECT COUNT(*) AS count FROM sessions") == 1)
        }
    }

    @Test("Refused consent leads back to the sign-in page without an error, and to no other site")
    func refusedConsent() async throws {
        try await GoogleInstallation.run { google in
            let browser = google.browser()
            #expect(try await google.signIn(browser, as: "cancel").location == "/sign-in")
            let step = try await google.signIn(browser, as: "cancel", returnTo: "/explore?tab=1")
            #expect(step.location == "/sign-in?next=%2Fexplore%3Ftab%3D1")
            #expect(try await google.isUntouched())
            let elsewhere = ["https://example.com", "//example.com", "/%5Cexample.com", "feed", "/feed%23x", "/%0Ax"]
            for page in elsewhere {
                let path = "\(GoogleInstallation.startPath)?returnTo=\(page)"
                #expect(try await browser.open(path).location == "/sign-in?code=invalidParameter", "\(page)")
                let step = try await browser.open(path, headers: ["Accept": "application/json"])
                #expect(step.status == 422 && step.location == nil, "\(page)")
            }
        }
    }

    @Test("Failed sign-ins are limited like wrong tokens")
    func limitOfFailures() async throws {
        try await GoogleInstallation.run { google in
            var statuses: [Int] = []
            // Several are sent at once, because the limit lets one more pass every second.
            for _ in 0..<10 where !statuses.contains(429) {
                statuses += try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<20 { group.addTask { try await google.send("a.b.c").status } }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
            }
            #expect(statuses.contains(429) && statuses.allSatisfy { [401, 429].contains($0) }, "\(statuses)")
            #expect(statuses.count { $0 == 401 } >= 30)
        }
    }

    @Test("Many started sign-ins from one address do not keep others with that address from signing in")
    func manyBeginnings() async throws {
        try await GoogleInstallation.run { google in
            for _ in 0..<100 {
                let location = try await google.browser().open(GoogleInstallation.startPath).location
                #expect(location?.contains("/o/oauth2/") == true)
            }
            let browser = google.browser()
            #expect(try await google.signIn(browser).location == "/feed")
            #expect(try await browser.client.get("/v1/me").status == 200)
        }
    }
}
