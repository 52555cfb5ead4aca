import Foundation
import Model
import Testing
import TestProcesses

@Suite("Keeping Spotify connected", .timeLimit(.minutes(5)))
struct SpotifyTokenTests {
    @Test(
        "Two workers and ten jobs at once with an expired token cause exactly one refresh", arguments: ["rotate", "keep"])
    func oneRefresh(mode: String) async throws {
        try await SpotifyInstallation.run(workers: 2) { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.upstream.configure(["refresh": .string(mode), "latencyMs": .integer(150)])
            try await spotify.expireAccessToken()
            let ids = try await ada.submitBatch(
                #"{"jobs":[\#(Array(repeating: SpotifyInstallation.profileJob, count: 10).joined(separator: ","))]}"#)
            for id in ids { #expect(try await ada.ended(id).state == "succeeded") }
            #expect(try await spotify.refreshes() == 1)
            #expect(try await spotify.connection().state == "connected")
        }
    }

    @Test("A token that Spotify calls expired before its time is refreshed once, and its call repeated once")
    func unexpectedEnd() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            let before = try await spotify.upstream.calls("/me")
            try await spotify.upstream.endTokens(access: "expire")
            #expect(try await spotify.profile(ada).state == "succeeded")
            #expect(try await spotify.refreshes() == 1)
            #expect(try await spotify.upstream.calls("/me") == before + 2)
        }
    }

    @Test("Trouble of every kind never disconnects, and is over when it is over")
    func trouble() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            for (fault, endpoint) in [
                ("status502", "refresh_token"), ("html", "refresh_token"), ("drop", "refresh_token"),
                ("loseAnswer", "refresh_token"), ("html", "/me"), ("text403", "/me"), ("truncatedJSON", "/me"),
            ] {
                try await spotify.upstream.configure(["refresh": .string("keep")])
                try await spotify.expireAccessToken()
                try await spotify.upstream.spoil(fault, endpoint: endpoint)
                let job = try await ada.submit(SpotifyInstallation.profileJob)
                try await eventually("the trouble '\(fault)' to show") {
                    try await spotify.connection().state == "degraded"
                }
                try await spotify.upstream.heal()
                #expect(try await ada.ended(job.id).state == (fault == "text403" ? "failed" : "succeeded"), "\(fault)")
                #expect(try await spotify.profile(ada).state == "succeeded", "\(fault)")
                #expect(try await spotify.connection().state == "connected", "\(fault)")
            }
        }
    }

    @Test("A Retry-After of a day is written down, keeps everybody's calls away, and disconnects nobody")
    func longPause() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.upstream.spoil("limit429", endpoint: "/me", extra: ["retryAfter": 86_400])
            let job = try await ada.submit(SpotifyInstallation.profileJob)
            try await eventually("the pause") { try await spotify.connection().state == "degraded" }
            let record = try await spotify.connection()
            #expect(record.reason == "rateLimited")
            let until = try #require(record.until)
            #expect(Timestamp.now().duration(to: until) > .seconds(86_000))
            #expect(try await ada.setup().step("spotify")?.until == "\(until)")
            let waiting = try await ada.job(job.id, reaches: "scheduled")
            #expect(try #require(Timestamp(rfc3339: waiting.runAt)) > .now().advanced(by: .seconds(86_000)))
            let calls = try await spotify.upstream.calls("/me")
            _ = try await ada.job(ada.submit(SpotifyInstallation.profileJob).id, reaches: "scheduled")
            #expect(try await spotify.upstream.calls("/me") == calls)
        }
    }

    @Test("A revoked consent, and six months, make the connection ask to be made again, and their secrets go")
    func ended() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.upstream.endTokens(refresh: "revoke")
            try await spotify.expireAccessToken()
            let waiting = try await ada.submit(SpotifyInstallation.profileJob)
            try await eventually("the end of the connection") {
                try await spotify.connection().state == "needsReconnect"
            }
            #expect(try await spotify.connection().reason == "revoked")
            #expect(try await spotify.secretCount() == 0)

            #expect(try await spotify.connect(ada).status == 200)
            // The job that waited for that goes on.
            #expect(try await ada.ended(waiting.id).state == "succeeded")
            #expect(try await spotify.connection().state == "connected")
            let before = try await spotify.upstream.calls()
            try await spotify.change { $0.renewBy = .now() }
            _ = try await ada.submit(SpotifyInstallation.profileJob)
            try await eventually("the end of the six months") {
                try await spotify.connection().state == "needsReconnect"
            }
            #expect(try await spotify.connection().reason == "consentEnded")
            #expect(try await spotify.upstream.calls() == before)
            #expect(try await spotify.secretCount() == 0)
        }
    }

    @Test(
        "A worker that is killed between the token's answer and its commit, or after it, leaves what is true",
        arguments: [
            ("answered", "keep", "connected", nil), ("answered", "rotate", "needsReconnect", "tokenLost"),
            ("stored", "keep", "connected", nil), ("stored", "rotate", "connected", nil as String?),
        ])
    func killed(moment: String, mode: String, state: String, reason: String?) async throws {
        try await SpotifyInstallation.run(workers: 1) { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.upstream.configure(["refresh": .string(mode)])
            for worker in spotify.base.running("sync-worker") {
                worker.terminate()
                try await worker.waitForEnd()
            }
            let doomed = try await spotify.base.startWorker(
                .sync, environment: ["BACKLINE_TEST_DIE_AT_TOKEN": moment, "BACKLINE_WORKER_NAME": "sync-a"])
            try await spotify.base.connected(workers: 1)
            try await spotify.expireAccessToken()
            let job = try await ada.submit(SpotifyInstallation.profileJob)
            #expect(try await doomed.waitForEnd() == .killed(signal: SIGKILL))
            _ = try await spotify.base.startWorker(.sync, environment: ["BACKLINE_WORKER_NAME": "sync-a"])
            if reason == nil {
                #expect(try await ada.ended(job.id).state == "succeeded")
            } else {
                try await eventually("the honest end") { try await spotify.connection().state == state }
            }
            let record = try await spotify.connection()
            #expect(record.state == state && record.reason == reason)
            #expect(try await spotify.refreshes() == (moment == "answered" ? 2 : 1))
        }
    }
}
