import Foundation
import Storage
import TestProcesses
import Testing

@Suite("Signing in with Google", .timeLimit(.minutes(20)))
struct GoogleSignInTests {
    @Test("A browser returns from Google as a new user, and the second time as the same user")
    func browserSignIn() async throws {
        try await GoogleInstallation.run { google in
            let dana = try await google.simulator.googlePeople()[0]
            let browser = google.browser()
            let url = try await google.begin(browser, returnTo: "/explore?tab=1")
            let parameters = URLComponents(string: url)?.queryItems ?? []
            func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
            #expect(value("redirect_uri") == browser.baseURL + "/v1/auth/google/callback")
            #expect(value("code_challenge")?.count == 43 && value("code_challenge_method") == "S256")
            #expect(value("client_id") == Simulator.googleClientID && value("response_type") == "code")
            #expect(value("scope") == "openid email profile")
            #expect(value("state")?.count == 43 && value("nonce")?.count == 43 && value("state") != value("nonce"))

            let step = try await browser.open(google.decide(at: url).target)
            #expect(step.status == 303 && step.location == "/explore?tab=1")
            let session = try #require(step.setCookies.first { $0.hasPrefix("backline_session=") })
            #expect(session.contains("HttpOnly") && session.contains("SameSite=Lax"))
            let me = try await browser.client.get("/v1/me").decode(JSON.self)
            #expect(me["username"] == .string("dana_novak") && me["displayName"] == .string("Dana Novák"))
            #expect(me["email"] == .string(dana.email) && me["isAdmin"] == .bool(false))
            #expect(me["picture"]?.text?.hasPrefix("/v1/pictures/") == true)
            #expect(try await google.openCount() == 0)

            // The former session ends.
            let former = browser.client
            #expect(try await google.signIn(browser).location == "/feed")
            #expect(try await browser.client.get("/v1/me").decode(JSON.self)["id"] == me["id"])
            #expect(try await former.get("/v1/me").status == 401)
            #expect(try await google.userCount() == 1)
        }
    }

    @Test("An app exchanges an ID token for a token of the same user")
    func appSignIn() async throws {
        try await GoogleInstallation.run { google in
            #expect(
                try await google.base.visitor.get("/v1/auth").decode(JSON.self)["google"]?["available"] == .bool(true))
            let people = try await google.simulator.googlePeople()
            let (client, signedIn) = try await google.appUser()
            #expect(signedIn.user.name == "dana_novak" && !signedIn.user.isAdmin)
            let me = try await client.get("/v1/me").decode(JSON.self)
            #expect(me["id"] == .string(signedIn.user.id) && me["displayName"] == .string("Dana Novák"))
            let browser = google.browser()
            try await google.signIn(browser)
            #expect(try await browser.client.get("/v1/me").decode(JSON.self)["id"] == me["id"])

            // The same address with another account is another user.
            let stranger = try await google.appUser(
                person: people[1].sub, claims: ["email": .string(people[0].email)])
            #expect(stranger.1.user.id != signedIn.user.id)
            // Another address with the same account is the same user, and the new address is stored.
            let (moved, again) = try await google.appUser(claims: ["email": .string("dana@elsewhere.example")])
            #expect(again.user.id == signedIn.user.id && again.token != signedIn.token)
            #expect(try await moved.get("/v1/me").decode(JSON.self)["email"] == .string("dana@elsewhere.example"))
            let tokens = try await client.get("/v1/me/tokens").decode(JSON.self)["items"]?.items ?? []
            #expect(tokens.count == 2 && tokens.allSatisfy { $0["expiresAt"]?.text != nil })

            // The export has the user's Google data, and an erasure deletes it.
            let archive = try await client.get("/v1/me/export").decode(JSON.self)
            let profile = archive["profile"]?.items?.first
            #expect(profile?["googleSubject"] == .string(people[0].sub))
            #expect(profile?["email"] == .string("dana@elsewhere.example"))
            let list = try await google.base.command("user", "list")
            #expect(list.output.lines.contains { $0.contains("dana_novak") })
            let gone = try await client.leave(as: "dana_novak")
            #expect(gone.status == 204)
            #expect(
                try await google.count(
                    "SELECT COUNT(*) AS count FROM users WHERE google_subject = \(people[0].sub)") == 0)
            #expect(try await google.appUser().1.user.id != signedIn.user.id)
        }
    }

    @Test("Usernames are derived from the name, never from the address, and are unique")
    func derivedUsernames() async throws {
        try await GoogleInstallation.run { google in
            _ = try await google.base.addUser("dana_novak")
            var names: [String] = []
            let everybody: [[String: JSON]] = [
                [:], ["name": .null], ["name": .string("Dáná NOVAK")], ["name": .string("🎧"), "email": .null],
                ["name": .null, "email": .string("kim.s@example.org"), "email_verified": .bool(false)],
                ["name": .string(String(repeating: "long ", count: 40))],
            ]
            for (number, claims) in everybody.enumerated() {
                let claims = claims.merging(["sub": .string("person-\(number)")]) { $1 }
                names.append(try await google.appUser(claims: claims).1.user.name)
            }
            #expect([names[0], names[2]] == ["dana_novak_2", "dana_novak_3"])
            for index in [1, 3, 4] { #expect(names[index].wholeMatch(of: /listener_[a-z]{6}/) != nil, "\(names)") }
            #expect(names[5] == "long_long_long_long_long_long" && Set(names).count == names.count)
        }
    }

    @Test("Concurrent first sign-ins of one person make one user")
    func concurrentFirstSignIns() async throws {
        try await GoogleInstallation.run(workers: 2) { google in
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    // Each request needs a token of its own, because a token is accepted once.
                    let idToken = try await google.simulator.mintIDToken()
                    group.addTask {
                        try await google.send(idToken).decode(GoogleInstallation.SignInAnswer.self).user.id
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try await google.userCount() == 1)
        }
    }

    @Test("An ID token is accepted only once, even if it is sent concurrently or after a restart")
    func tokenIsAcceptedOnce() async throws {
        try await GoogleInstallation.run(workers: 2) { google in
            let idToken = try await google.simulator.mintIDToken()
            let answers = try await withThrowingTaskGroup(of: APIResponse.self) { group in
                for _ in 0..<8 { group.addTask { try await google.send(idToken) } }
                return try await group.reduce(into: [APIResponse]()) { $0.append($1) }
            }
            #expect(answers.count { $0.status == 200 } == 1)
            for refused in answers where refused.status != 200 {
                #expect(try refused.status == 401 && refused.problem.code == "idTokenUsed", "\(refused.text)")
            }
            #expect(try await google.openCount() == 0, "nothing of the refused sign-ins is left")
            let gateway = try #require(google.base.running("api-gateway").first)
            gateway.kill()
            try await gateway.waitForEnd()
            try await google.base.startGateway()
            let after = try await APIClient(baseURL: google.base.visitor.baseURL)
                .post("/v1/auth/google", JSON.object(["idToken": .string(idToken)]).encoded)
            #expect(try after.status == 401 && after.problem.code == "idTokenUsed")
            #expect(try await google.count("SELECT COUNT(*) AS count FROM tokens") == 1)
            _ = try await google.appUser()
        }
    }

    @Test("The sign-up policy refuses new people, and existing users still sign in")
    func signUp() async throws {
        try await GoogleInstallation.run { google in
            let people = try await google.simulator.googlePeople()
            let (_, dana) = try await google.appUser()
            let worker = try #require(google.base.running("sync-worker").first)
            await worker.destroy()
            _ = try await google.base.startWorker(
                .sync, environment: ["BACKLINE_GOOGLE_SIGN_UP": "lee@example.org, @example.com"])
            #expect(try await google.appUser().1.user.id == dana.user.id)
            #expect(try await google.appUser(person: people[1].sub).1.user.name.hasPrefix("lee_o"))
            let refused = try await google.send(
                google.simulator.mintIDToken(claims: ["sub": .string("new"), "email": .string("eve@example.com")]))
            #expect(try refused.problem.code == "signUpClosed" && refused.status == 401)
            _ = try await google.appUser(claims: ["sub": .string("new"), "hd": .string("example.com")])
            #expect(try await google.userCount() == 3)
            let step = try await google.signIn(google.browser(), as: people[3].sub, returnTo: "/library")
            #expect(step.location == "/sign-in?code=signUpClosed&next=%2Flibrary")
        }
    }

    @Test("No secret of a sign-in is in the database, its log, the processes' logs or the jobs")
    func secretsAreNowhere() async throws {
        try await GoogleInstallation.run(environment: ["BACKLINE_LOG_LEVEL": "trace"]) { google in
            let root = try await google.base.addAdministrator()
            let idToken = try await google.simulator.mintIDToken()
            _ = try await google.send(idToken)
            let wrong = try await google.simulator.mintIDToken(["audience": .string("another-app")])
            #expect(try await google.send(wrong).status == 401)
            let browser = google.browser()
            let back = try await google.decide(at: google.begin(browser))
            let (code, state) = (back.parameters["code"] ?? "", back.parameters["state"] ?? "")
            let attempt = try #require(browser.cookies["backline_sign_in"])
            #expect(try await browser.open(back.target).location == "/feed")
            let session = try #require(browser.cookies["backline_session"])
            var texts = [try await root.get("/v1/admin/dead-letters").text]
            try await google.base.withDatabase { database in
                for row in try await database.read({ try $0.rows("SELECT payload, result, error_message FROM jobs") }) {
                    texts.append("\(row)")
                }
            }
            for suffix in ["", "-wal"] {
                let data = try Data(contentsOf: URL(fileURLWithPath: google.base.databasePath + suffix))
                texts.append(String(decoding: data, as: UTF8.self))
            }
            for secret in [idToken, wrong, code, state, attempt, session, Simulator.googleClientSecret] {
                #expect(secret.count > 10 && !texts.contains { $0.contains(secret) })
                // The signature alone must not be found either.
                let end = String(secret.suffix(60))
                #expect(!texts.contains { $0.contains(end) })
                for process in google.base.started where process.name != "upstream-sim" {
                    #expect(!process.errors.contains(secret) && !process.output.contains(secret), "\(process.name)")
                }
            }
        }
    }
}
