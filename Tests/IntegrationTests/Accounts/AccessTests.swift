import Accounts
import Foundation
import NIOHTTP1
import TestProcesses
import Testing

@Suite("Access to other users' rows", .timeLimit(.minutes(20)))
struct AccessTests {
    @Test("Another user's token sees nothing")
    func otherUsers() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser("ada", isAdmin: true)
            let bob = try await installation.addUser("bob")
            let done = try await ada.submit(Echo.job(1), wait: 30)
            let running = try await ada.submit(Echo.job(2, sleepMs: 600_000))
            for id in [done.id, running.id] {
                #expect(try await bob.get("/v1/jobs/\(id)").problem.code == "notFound")
                for action in ["cancel", "requeue"] {
                    let response = try await bob.post("/v1/jobs/\(id)/\(action)")
                    #expect(response.status == 404)
                    #expect(try response.problem.code == "notFound")
                }
            }
            #expect(try await bob.allJobs().isEmpty)
            #expect(try await bob.summary() == JobSummary())
            #expect(try await ada.summary() == JobSummary(running: 1, succeeded: 1))
            // A missing job has the same response as another user's.
            let unknown = try await bob.get("/v1/jobs/01900000-0000-7000-8000-000000000000")
            #expect(unknown.text == (try await bob.get("/v1/jobs/\(done.id)").text))
        }
    }

    @Test("Without a known token, every endpoint answers 401")
    func noToken() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let job = try await ada.submit(Echo.job())
            var credentials: [[String: String]] = [
                [:], ["Authorization": ""], ["Authorization": "Bearer"], ["Authorization": "Bearer "],
                ["Authorization": "Bearer wrong"], ["Authorization": "Basic \(ada.token ?? "")"],
                ["Authorization": ada.token ?? ""], ["Authorization": "Bearer \(ada.token ?? "")x"],
            ]
            credentials.append(["Authorization": "Bearer " + String(repeating: "x", count: 5_000)])
            let endpoints: [(HTTPMethod, String)] = [
                (.POST, "/v1/jobs"), (.POST, "/v1/jobs/batch"), (.GET, "/v1/jobs"), (.GET, "/v1/jobs/summary"),
                (.GET, "/v1/jobs/\(job.id)"), (.POST, "/v1/jobs/\(job.id)/cancel"),
                (.POST, "/v1/jobs/\(job.id)/requeue"), (.GET, "/v1/events"),
            ]
            for (method, path) in endpoints {
                for headers in credentials {
                    let response = try await installation.visitor.send(method, path, headers: headers)
                    #expect(response.status == 401, "\(method) \(path) \(headers)")
                    #expect(try response.problem.code == "unauthorized")
                    #expect(response.header("WWW-Authenticate") == "Bearer")
                }
            }
            #expect(try await ada.job(job.id).state == "queued")
            // The scheme's name is case-insensitive (RFC 9110).
            let lower = ["Authorization": "bearer \(ada.token ?? "")"]
            #expect(try await installation.visitor.get("/v1/jobs", headers: lower).status == 200)
        }
    }

    @Test("A malformed id is answered with 404, like an unknown one")
    func malformedIDs() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let job = try await ada.submit(Echo.job())
            let ids = [
                "x", "0", "-1", "%20", "%00", "%2e%2e", "%27%20OR%201%3D1%20--", "null", "%F0%9F%8E%B5",
                job.id.uppercased() + "0", String(job.id.dropLast()), String(repeating: "a", count: 4_000),
            ]
            for id in ids {
                for (method, path) in [
                    (HTTPMethod.GET, "/v1/jobs/\(id)"), (.POST, "/v1/jobs/\(id)/cancel"),
                    (.POST, "/v1/jobs/\(id)/requeue"),
                ] {
                    let response = try await ada.send(method, path)
                    #expect(response.status == 404, "\(method) \(path)")
                    #expect(try response.problem.status == 404)
                }
            }
            #expect(try await ada.job(job.id).state == "queued")
        }
    }

    @Test("The monitoring endpoints need no token, and show no user's data")
    func monitoringEndpoints() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            _ = try await ada.submit(Echo.job(), wait: 30)
            #expect(try await installation.visitor.get("/healthz").status == 200)
            #expect(try await installation.visitor.get("/readyz").status == 200)
            let metrics = try await installation.metrics()
            #expect(metrics.sum("backline_jobs", ["state": "succeeded"]) == 1)
            #expect(metrics.sum("backline_workers") == 1)
            let user = try await installation.withDatabase { database in
                try await database.read { try $0.accounts.user(named: "ada")?.id }
            }
            let secrets = [try #require(user), try #require(ada.token), "ada"]
            #expect(
                metrics.values.keys.allSatisfy { $0.labels.values.allSatisfy { !secrets.contains($0) } },
                "nothing says who")
            let nowhere = try await installation.visitor.get("/nowhere")
            #expect(nowhere.status == 404)
            #expect(try nowhere.problem.code == "noSuchEndpoint")
        }
    }

    @Test("'backline user add' prints only the token, and refuses a name that is already taken")
    func addingUsers() async throws {
        try await Installation.run { installation in
            // The command works before any gateway has run.
            let first = try await installation.command("user", "add", "zofie")
            #expect(first.end == .exited(0))
            #expect(first.output.lines.count == 1 && first.errors.lines.isEmpty)
            let second = try await installation.command("user", "add", "zofie")
            #expect(second.end != .exited(0))
            #expect(second.output.lines.isEmpty && second.errors.contains("zofie"))
            let nobody = try await installation.command("user", "add", "")
            #expect(nobody.end != .exited(0))
        }
    }
}
