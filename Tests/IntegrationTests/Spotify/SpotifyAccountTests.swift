import Connections
import Model
import TestProcesses
import TestSupport
import Testing

@Suite("The account of a Spotify connection", .timeLimit(.minutes(20)))
struct SpotifyAccountTests {
    @Test("A person who connects does not wait for the account's name, which is fetched later")
    func silentAccount() async throws {
        try await SpotifyInstallation.run(environment: ["BACKLINE_UPSTREAMS_SPOTIFY_TIMEOUT_MS": "5000"]) { spotify in
            let ada = try await spotify.base.addUser("ada")
            try await spotify.upstream.injectFault("slow", endpoint: "/v1/me", times: 1, extra: ["ms": 60_000])
            let response = try await spotify.connect(ada)
            #expect(response.status == 200, "\(response.text)")
            #expect(try await spotify.secretCount() == 2)
            try await eventually("the name") { try await spotify.connection().accountName == "Dana Novák" }
            let step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "complete" && step.reason == nil)
        }
    }

    @Test("The account's name is requested until Spotify returns it, however long that takes")
    func accountAskedFor() async throws {
        let environment = ["BACKLINE_JOBS_MAXIMUM_ATTEMPTS": "1"]
        try await SpotifyInstallation.run(environment: environment) { spotify in
            let ada = try await spotify.base.addUser("ada")
            try await spotify.upstream.injectFault("status503", endpoint: "/v1/me")
            #expect(try await spotify.connect(ada).status == 200)
            // The job has used all of its attempts, and is postponed for longer than any pause between attempts.
            let job = try await eventually("the job to be postponed") {
                let job = try await ada.allJobs().first { $0.kind == "spotify.profile" }
                return job?.state == "scheduled" || job?.isFinished == true ? job : nil
            }
            #expect(job.state == "scheduled")
            #expect(try #require(Timestamp(rfc3339: job.runAt)) > .now().advanced(by: .seconds(600)))
            var step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "complete" && step.reason == "unavailable")
            #expect(try await spotify.connection().accountID == nil)

            try await spotify.syncsEnded(of: ada)
            // After a new connection with a used-up daily quota the job waits for the next day, which the step names.
            try await spotify.upstream.heal()
            try await spotify.upstream.injectFault("quotaExceeded", endpoint: "/v1/me")
            // The sync's failed calls may have opened the circuit, which lets a call pass every few seconds.
            step = try await eventually("a refusal because of the quota") {
                #expect(try await spotify.connect(ada).status == 200)
                let step = try await ada.setup().step("spotify")
                return step?.reason == "quotaExhausted" ? step : nil
            }
            let until = try #require(step.until.flatMap { Timestamp(rfc3339: $0) })
            let jobs = try await ada.allJobs().filter { $0.kind == "spotify.profile" }
            // The sync also hits the quota, a moment before or after.
            let waits = jobs.compactMap { Timestamp(rfc3339: $0.runAt)?.duration(to: until) }
            #expect(waits.contains { (-60...60).contains($0.components.seconds) }, "\(waits)")
        }
    }

    @Test("A different account needs the person's answer before it replaces the former one")
    func anotherAccount() async throws {
        try await SpotifyInstallation.run { spotify in
            _ = try await spotify.base.addUser("ada")
            let ada = try await spotify.browser(of: "ada")
            func comeBack() async throws -> String {
                let back = try await spotify.upstream.decide("allow", at: spotify.begin(ada))
                return try await spotify.follow(back.target, as: ada)
            }
            func answer(_ answer: String, to id: String) async throws -> APIResponse {
                try await ada.post("/v1/setup/spotify/account", #"{"id":"\#(id)","answer":"\#(answer)"}"#)
            }
            #expect(try await comeBack() == "/setup/spotify?outcome=connected")
            let dana = try await spotify.connection()
            #expect(dana.accountUserID == "demo-listener" && dana.accountID != "demo-listener")
            #expect(dana.clientID == "demo-spotify-client")

            try await spotify.upstream.configure(["signedInAs": .string("second-listener")])
            for given in ["cancel", "keep"] {
                #expect(try await comeBack() == "/setup/spotify?outcome=otherAccount")
                var step = try #require(try await ada.setup().step("spotify"))
                let question = try #require(step.question)
                #expect(step.account == "Dana Novák" && question.account == "Lee O'Hara")
                #expect(step.state == "complete" && step.reason == "otherAccount")
                // The former account is used until the answer.
                #expect(try await spotify.profile(ada).result?["account"] == .string("Dana Novák"))
                #expect(try await spotify.connection().accountID == dana.accountID)
                let nonsense = try await answer("perhaps", to: question.id).problem
                #expect(nonsense.status == 422 && nonsense.field == "$.answer")
                let response = try await answer(given, to: question.id)
                #expect(response.status == 200, "\(response.text)")
                step = try #require(try await ada.setup().step("spotify"))
                #expect(step.question == nil && step.reason == nil)
                #expect(step.account == (given == "cancel" ? "Dana Novák" : "Lee O'Hara"))
                #expect(step.formerAccounts == (given == "cancel" ? nil : ["Dana Novák"]))
                let late = try await answer(given, to: question.id).problem
                #expect(late.status == 422 && late.code == "questionExpired")
            }
            #expect(try await spotify.connection().accountUserID == "second-listener")
            #expect(try await spotify.profile(ada).result?["account"] == .string("Lee O'Hara"))

            // An app gets a problem. The former account is connected again, and is no longer listed as a former one.
            try await spotify.upstream.configure(["signedInAs": .string("demo-listener")])
            let back = try await spotify.upstream.decide("allow", at: spotify.begin(ada))
            let problem = try await spotify.finish(ada, back.parameters).problem
            #expect(problem.status == 409 && problem.code == "otherAccount")
            let id = try #require(try await ada.setup().step("spotify")?.question?.id)
            #expect(try await answer("delete", to: id).status == 200)
            let step = try #require(try await ada.setup().step("spotify"))
            #expect(step.account == "Dana Novák" && step.formerAccounts == nil)
            let jobs = try await ada.allJobs().filter { $0.kind == "spotify.replaceAccount" }
            #expect(jobs.allSatisfy { $0.state == "succeeded" })
        }
    }
}
