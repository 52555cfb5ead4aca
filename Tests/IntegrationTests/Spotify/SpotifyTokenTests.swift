import Foundation
import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Keeping Spotify connected", .timeLimit(.minutes(20)))
struct SpotifyTokenTests {
    /// More attempts than a job makes before a busy machine has repaired what makes it fail. After its last attempt, a
    /// job for a profile is postponed for minutes.
    static let patient = ["BACKLINE_JOBS_MAXIMUM_ATTEMPTS": "50"]

    @Test("Two workers and ten jobs at once with an expired token cause exactly one refresh")
    func oneRefresh() async throws {
        try await SpotifyInstallation.run(workers: 2) { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.upstream.configure(["refresh": "rotate", "latencyMs": .integer(150)])
            try await spotify.expireAccessToken()
            let ids = try await ada.submitBatch(
                #"{"jobs":[\#(Array(repeating: SpotifyInstallation.profileJob, count: 10).joined(separator: ","))]}"#)
            for id in ids { #expect(try await ada.ended(id).state == "succeeded") }
            #expect(try await spotify.refreshes() == 1)
            #expect(try await spotify.connection().state == "connected")
        }
    }

    @Test("A temporary failure never disconnects, and ends along with its cause")
    func temporaryFailures() async throws {
        try await SpotifyInstallation.run(environment: Self.patient) { spotify in
            let ada = try await spotify.connectedUser()
            for (fault, endpoint) in [("loseAnswer", "refresh_token"), ("html", "/me"), ("text403", "/me")] {
                try await spotify.upstream.configure(["refresh": .string("keep")])
                try await spotify.expireAccessToken()
                try await spotify.upstream.injectFault(fault, endpoint: endpoint)
                let job = try await ada.submit(SpotifyInstallation.profileJob)
                try await eventually("the problem '\(fault)' to be shown") {
                    try await spotify.connection().state == "degraded"
                }
                try await spotify.upstream.heal()
                #expect(try await ada.ended(job.id).state == (fault == "text403" ? "failed" : "succeeded"), "\(fault)")
                #expect(try await spotify.profile(ada).state == "succeeded", "\(fault)")
                #expect(try await spotify.connection().state == "connected", "\(fault)")
            }
        }
    }

    @Test("A Retry-After of a day is stored, stops everybody's calls, and disconnects nobody")
    func longPause() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.upstream.injectFault("limit429", endpoint: "/me", extra: ["retryAfter": 86_400])
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

    @Test("A revoked consent ends the connection and deletes its secrets; its age ends it without a call")
    func revokedConsent() async throws {
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
            // The job that waited for the connection runs.
            #expect(try await ada.ended(waiting.id).state == "succeeded")
            #expect(try await spotify.connection().state == "connected")
            try await spotify.syncsEnded(of: ada)
            let before = try await spotify.upstream.calls()
            let end = try await spotify.connection().renewBy
            let secrets = try await spotify.secretCount()
            try await spotify.change { $0.renewBy = .now() }
            _ = try await ada.job(ada.submit(SpotifyInstallation.profileJob).id, reaches: "scheduled")
            #expect(try await ada.setup().step("spotify")?.reason == "consentEnded")
            #expect(try await spotify.upstream.calls() == before)
            // A clock that was ahead, and is set back, leaves nothing behind.
            try await spotify.change { $0.renewBy = end }
            #expect(try await spotify.connection().state == "connected")
            #expect(try await spotify.secretCount() == secrets)
            #expect(try await ada.setup().step("spotify")?.state == "complete")
            #expect(try await ada.ended(ada.submit(SpotifyInstallation.profileJob).id).state == "succeeded")
        }
    }

    @Test("Jobs that wait for a connection say so, survive a restart, can be cancelled, and run after connecting")
    func waitingJobs() async throws {
        try await SpotifyInstallation.run { spotify in
            let base = spotify.base
            let ada = try await spotify.connectedUser()
            try await spotify.upstream.endTokens(refresh: "revoke")
            try await spotify.expireAccessToken()
            var ids: [String] = []
            for _ in 0..<3 { ids.append(try await ada.submit(SpotifyInstallation.profileJob).id) }
            func waitsFor(_ id: String) async throws -> JSON? {
                try await ada.get("/v1/jobs/\(id)").decode(JSON.self)["waitsFor"]?["provider"]
            }
            for id in ids {
                try await eventually("job \(id) to wait") { try await waitsFor(id) == .string("spotify") }
                #expect(try await ada.job(id, reaches: "scheduled").attempt == 0, "no attempt is used")
            }
            let shown = try await base.backline("jobs", "show", ids[0], as: ada)
            #expect(shown.text.contains("Waits for") && shown.text.contains("Spotify"), "\(shown.text)")
            let doctor = try await base.backline("doctor", as: ada)
            #expect(doctor.text.contains("3 jobs wait until people fix spotify"), "\(doctor.text)")

            let processes = base.started.filter { $0.isRunning && $0.name != "upstream-sim" }
            for process in processes { process.terminate() }
            for process in processes { try await process.waitForEnd() }
            try await base.startGateway()
            _ = try await base.startWorker(.sync)
            try await base.connected(workers: 1)
            for id in ids { #expect(try await waitsFor(id) == .string("spotify")) }
            #expect(try await ada.post("/v1/jobs/\(ids[0])/cancel").status == 200)
            #expect(try await ada.ended(ids[0]).state == "cancelled")
            #expect(try await waitsFor(ids[0]) == nil)

            #expect(try await spotify.connect(ada).status == 200)
            for id in ids[1...] {
                let job = try await ada.ended(id)
                #expect(job.state == "succeeded" && job.attempt == 1)
                #expect(try await waitsFor(id) == nil)
            }
            #expect(try await ada.ended(ids[0]).state == "cancelled")
        }
    }

    /// Stops the worker during a refresh, and expects that the next worker uses the tokens that it got.
    ///
    /// - Parameters:
    ///   - message: what the worker logs while it stops. Spotify answers after that.
    ///   - change: called with the job while the refresh is under way.
    private func stopDuringRefresh(
        _ spotify: SpotifyInstallation, until message: String,
        change: (APIClient, JobView) async throws -> Void = { _, _ in }
    ) async throws {
        let ada = try await spotify.connectedUser()
        try await spotify.upstream.configure(["refresh": .string("rotate")])
        try await spotify.expireAccessToken()
        try await spotify.upstream.injectFault("hold", endpoint: "refresh_token", times: 1)
        let job = try await ada.submit(SpotifyInstallation.profileJob)
        try await eventually("the refresh to arrive") { try await spotify.refreshes() == 1 }
        try await change(ada, job)
        let worker = try #require(spotify.base.running("sync-worker").first)
        worker.terminate()
        try await worker.waitForLog(message)
        try await spotify.upstream.order("faults/release")
        #expect(try await worker.waitForEnd() == .exited(0))
        _ = try await spotify.base.startWorker(.sync)
        try await spotify.base.connected(workers: 1)
        #expect(try await spotify.profile(ada).state == "succeeded")
        #expect(try await spotify.refreshes() == 1)
        #expect(try await spotify.connection().state == "connected")
    }

    @Test("A worker that stops first stores the tokens of a refresh under way, although its job was cancelled")
    func stoppedWorker() async throws {
        try await SpotifyInstallation.run { spotify in
            try await stopDuringRefresh(spotify, until: "stopping") { ada, job in
                let cancelled = try await ada.post("/v1/jobs/\(job.id)/cancel")
                #expect(cancelled.status == 200)
            }
        }
    }

    @Test("A worker that stops stores the tokens of a refresh that takes longer than its grace period")
    func stoppedLate() async throws {
        try await SpotifyInstallation.run(workers: 0) { spotify in
            // A grace period of a second for all other work.
            _ = try await spotify.base.startWorker(.sync, environment: ["BACKLINE_WORKER_GRACE_SECONDS": "1"])
            try await spotify.base.connected(workers: 1)
            try await stopDuringRefresh(spotify, until: "waiting for work that must not be interrupted")
        }
    }

    @Test(
        "After a kill before or after the commit of new tokens the connection has the right state",
        arguments: [
            ("answered", "keep", "connected", nil), ("answered", "rotate", "needsReconnect", "tokenLost"),
            ("stored", "keep", "connected", nil), ("stored", "rotate", "connected", nil as String?),
        ])
    func killedAroundTheCommit(moment: String, mode: String, state: String, reason: String?) async throws {
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
                try await eventually("the correct final state") { try await spotify.connection().state == state }
            }
            let record = try await spotify.connection()
            #expect(record.state == state && record.reason == reason)
            #expect(try await spotify.refreshes() == (moment == "answered" ? 2 : 1))
        }
    }
}
