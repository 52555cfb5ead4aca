import Accounts
import Foundation
import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Signing in to a running gateway", .timeLimit(.minutes(20)))
struct SignInTests {
    /// A browser that was opened with a sign-in link of a user.
    private func browser(of user: String, in installation: Installation) async throws -> APIClient {
        let code = try await installation.withDatabase { database in
            try await Accounts(database: database).signInLink(user: user).secret.reveal()
        }
        return try await browser(#"{"link":"\#(code)"}"#, in: installation)
    }

    private func browser(_ credential: String, in installation: Installation) async throws -> APIClient {
        let response = try await installation.visitor.post("/v1/session", credential)
        guard response.status == 200, let cookie = response.header("Set-Cookie")?.split(separator: ";").first else {
            throw UnexpectedAnswer(description: "not signed in: \(response.status) \(response.text)")
        }
        var client = installation.visitor
        client.cookie = String(cookie)
        return client
    }

    @Test("A link signs in once, and its session can do what a token can, including the event stream")
    func linkSignsInOnce() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            _ = try await installation.addUser("ada")
            let code = try await installation.withDatabase { database in
                try await Accounts(database: database).signInLink(user: "ada").secret.reveal()
            }
            let attempts = try await withThrowingTaskGroup(of: APIResponse.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await installation.visitor.post("/v1/session", #"{"link":"\#(code)"}"#) }
                }
                return try await group.reduce(into: [APIResponse]()) { $0.append($1) }
            }
            let signedIn = try #require(attempts.first { $0.status == 200 })
            #expect(attempts.filter { $0.status == 200 }.count == 1)
            for refused in attempts where refused.status != 200 {
                #expect(try refused.status == 401 && refused.problem.code == "invalidLink")
            }
            var ada = installation.visitor
            ada.cookie = String(try #require(signedIn.header("Set-Cookie")?.split(separator: ";").first))

            let stream = try await EventStream.open(ada)
            let job = try await ada.submit(Echo.job(5), wait: 30)
            #expect(job.state == "succeeded")
            try await stream.job(job.id, reaches: "succeeded")
            stream.close()
            // Neither the link's code nor the session's key is in the log.
            let key = try #require(ada.cookie?.split(separator: "=").last)
            let gateway = try #require(installation.running("api-gateway").first)
            #expect(!gateway.errors.contains(code) && !gateway.errors.contains(String(key)))
        }
    }

    @Test("One person's session sees nothing of another's")
    func otherUsers() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let token = try #require(try await installation.addUser("ada").token)
            _ = try await installation.addUser("bob")
            let ada = try await browser(#"{"token":"\#(token)"}"#, in: installation)
            let bob = try await browser(of: "bob", in: installation)
            let job = try await ada.submit(Echo.job())
            #expect(try await ada.job(job.id).state == "queued")
            #expect(try await bob.get("/v1/jobs/\(job.id)").problem.code == "notFound")
            #expect(try await bob.allJobs().isEmpty)
            #expect(try await bob.get("/v1/session").decode(JSON.self)["user"]?["name"] == .string("bob"))
        }
    }

    @Test("Another site's page changes nothing, even though the browser sends the cookie with its request")
    func crossOrigin() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            _ = try await installation.addUser("ada")
            let ada = try await browser(of: "ada", in: installation)
            let job = try await ada.submit(Echo.job())
            for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
                let response = try await ada.post("/v1/jobs/\(job.id)/cancel", headers: ["Origin": origin])
                #expect(try response.status == 403 && response.problem.code == "crossOrigin", "\(origin)")
            }
            #expect(try await ada.job(job.id).state == "queued")
        }
    }

    @Test("A session survives a restart of the gateway, which stores its last use, and ends by signing out")
    func sessionSurvivesARestart() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            _ = try await installation.addUser("ada")
            let ada = try await browser(of: "ada", in: installation)
            #expect(try await ada.get("/v1/session").status == 200)
            func expiry() async throws -> Int64 {
                try await installation.withDatabase { database in
                    try await database.read { try $0.row("SELECT expires_at FROM sessions")?["expires_at"] ?? 0 }
                }
            }
            let before = try await expiry()
            gateway.terminate()
            #expect(try await gateway.waitForEnd() == .exited(0))
            #expect(try await expiry() > before)

            try await installation.startGateway()
            #expect(try await ada.get("/v1/session").status == 200)
            #expect(try await ada.send(.DELETE, "/v1/session").status == 204)
            #expect(try await ada.get("/v1/session").status == 401)
        }
    }

    @Test("The event stream of a person who signs out ends")
    func streamEnds() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            _ = try await installation.addUser("ada")
            let ada = try await browser(of: "ada", in: installation)
            let stream = try await EventStream.open(ada)
            #expect(try await ada.send(.DELETE, "/v1/session").status == 204)
            try await eventually("the end of the stream") { stream.hasEnded }
        }
    }
}
