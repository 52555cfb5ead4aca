import Model
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Syncs of libraries that a service asks to pause", .timeLimit(.minutes(20)))
struct LibraryPauseTests {
    @Test("A pause of a day postpones a sync, lets the other service be read, and causes no page to be read again")
    func pauseOfADay() async throws {
        try await LibraryInstallation.run { library in
            let (spotify, apple) = (library.upstreams.spotify, library.upstreams.appleMusic)
            try await library.fill(spotify, tracks: 320, oddities: false)
            try await library.fill(apple, tracks: 150, oddities: false)
            let ada = try await library.base.addUser()
            try await spotify.injectFault(
                "limit429", endpoint: "me/tracks", query: "offset=100", extra: ["retryAfter": 86_400])
            try await library.connectSpotify(ada)
            let sync = try await ada.latestSync().id
            let job = try await ada.job(sync, reaches: "scheduled")
            let runAt = try #require(Timestamp(rfc3339: job.runAt))
            #expect(Timestamp.now().duration(to: runAt) > .seconds(86_000))
            let paused = try await ada.latestSync()
            let source = try #require(paused.source("spotify"))
            #expect(paused.state == "running" && source.state == "waiting" && source.found == 100, "\(paused)")
            #expect(source.error?.code == "rateLimited")
            #expect(try await library.savedIDs(.spotify).count == 100)
            #expect(try await ada.askForSync(#"{"source":"spotify"}"#).id == sync)

            try await library.connectAppleMusic(ada)
            let other = try await ada.syncEnded(after: sync)
            #expect(other.state == "complete" && other.source("appleMusic")?.found == 150, "\(other)")
            #expect(other.source("spotify")?.error?.code == "rateLimited", "\(other)")
            for body in [#"{"source":"appleMusic"}"#, #"{"force":true}"#] {
                let (former, calls) = (try await ada.latestSync().id, try await library.requests(apple))
                #expect(try await ada.askForSync(body).id != sync)
                let next = try await ada.syncEnded(after: former)
                #expect(next.source("appleMusic")?.state == "complete", "\(next)")
                let left = try #require(next.source("spotify"))
                #expect(left.state == "waiting" && left.error?.code == "rateLimited", "\(next)")
                #expect(try await library.requests(apple) > calls)
            }
            #expect(try await ada.latestSync().state == "partial")

            try await spotify.heal()
            try await Self.passPause(of: job.id, in: library)
            let ended = try await eventually("the end of the sync", within: LibraryInstallation.patience) {
                () -> JobView? in
                // The gateway is being restarted.
                guard let job = try? await ada.job(sync), job.isFinished else { return nil }
                return job
            }
            #expect(ended.state == "succeeded", "\(ended)")
            let truth = Set(try await spotify.truth().map(\.id))
            #expect(try await library.savedIDs(.spotify) == truth)
            // Seven pages, and the refusal.
            #expect(try await spotify.calls("me/tracks") == 8)
            #expect(try await ada.librarySummary().missing == 0)
            let latest = try await ada.latestSync()
            #expect(latest.state == "complete" && latest.source("spotify")?.state == "complete", "\(latest)")
        }
    }

    /// Ends Spotify's pause, and the time for which a job waits. Processes that know about them are replaced.
    private static func passPause(of job: String, in library: LibraryInstallation) async throws {
        try await library.base.withDatabase { database in
            try await database.write { transaction in
                try transaction.run(
                    """
                    UPDATE permit_keys
                    SET paused_until = NULL, paused_until_instant = NULL, paused_boot = NULL, pause_reason = NULL
                    WHERE provider = 'spotify'
                    """)
                try transaction.run("UPDATE jobs SET run_at = \(Timestamp.now()) WHERE id = \(job)")
            }
        }
        try await library.killWorker()
        try await library.killGateway()
    }
}
