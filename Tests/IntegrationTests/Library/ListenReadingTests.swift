import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Reading what is played at Spotify", .timeLimit(.minutes(20)))
struct ListenReadingTests {
    private struct Page: Decodable {
        struct Item: Decodable {
            var title: String
            var sources: [String]
            var durationPlayedMs: Int?
        }

        var items: [Item]
        var total: Int
    }

    private struct Sources: Decodable {
        struct Source: Decodable {
            struct Gap: Decodable {
                var from: String
                var to: String
            }

            var source: String
            var gaps: [Gap]
        }

        var items: [Source]
    }

    private static let path = "recently-played"

    private func listens(of client: APIClient, _ total: Int) async throws -> Page {
        try await eventually("\(total) listens", within: LibraryInstallation.patience) {
            let page: Page = try await client.get("/v1/listening/listens?limit=200").decode()
            return page.total >= total ? page : nil
        }
    }

    /// Waits until the current list has been read.
    private func readAgain(_ library: LibraryInstallation) async throws {
        let before = try await library.upstreams.spotify.calls(Self.path)
        try await eventually("another read", within: LibraryInstallation.patience) {
            // One read may have begun before the list changed.
            try await library.upstreams.spotify.calls(Self.path) >= before + 2
        }
    }

    @Test(
        "Each play is one listen although processes are killed; 50 missed ones leave a gap; disconnecting ends reading")
    func playsDespiteKills() async throws {
        try await LibraryInstallation.run(environment: ["BACKLINE_LISTENING_SPOTIFY_SECONDS": "1"]) { library in
            let spotify = library.upstreams.spotify
            let ada = try await library.base.addUser()
            try await library.fill(spotify, tracks: 120, oddities: false)
            try await library.connectSpotify(ada)
            let first = try await listens(of: ada, 50)
            #expect(first.total == 50)
            #expect(first.items.allSatisfy { $0.sources == ["spotifyRecent"] })
            try await library.change(spotify, ["play": 20])
            #expect(try await listens(of: ada, 70).total == 70)
            try await library.killWorker()
            try await library.change(spotify, ["play": 5])
            try await library.killGateway()
            #expect(try await listens(of: ada, 75).total == 75)
            try await readAgain(library)
            #expect(try await listens(of: ada, 75).total == 75)

            try await library.change(spotify, ["play": 60])
            #expect(try await listens(of: ada, 125).total == 125)
            let sources: Sources = try await ada.get("/v1/listening/sources").decode()
            #expect(sources.items.map(\.source) == ["spotifyRecent"])
            #expect(sources.items.first?.gaps.count == 1)

            #expect(try await ada.send(.DELETE, "/v1/setup/spotify").status == 200)
            let calls = try await eventually("the last read to end", within: LibraryInstallation.patience) {
                try await ada.allJobs().allSatisfy(\.isFinished) ? try await spotify.calls(Self.path) : nil
            }
            try await library.change(spotify, ["play": 5])
            try await library.killGateway()
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
            #expect(try await spotify.calls(Self.path) == calls)
            #expect(try await listens(of: ada, 125).total == 125)
        }
    }

    @Test("Without the permission, nothing is read; the step requests it, and reading begins once it is granted")
    func missingPermission() async throws {
        try await LibraryInstallation.run(environment: ["BACKLINE_LISTENING_SPOTIFY_SECONDS": "1"]) { library in
            let spotify = SpotifyInstallation(base: library.base, upstream: library.upstreams.spotify)
            let scope = "user-read-recently-played"
            try await spotify.upstream.configure(["withheldScopes": .array([.string(scope)])])
            let ada = try await library.base.addUser()
            try await library.fill(spotify.upstream, tracks: 120, oddities: false)
            try await library.connectSpotify(ada)
            #expect(try await ada.setup().step("spotify")?.missingScopes == [scope])
            let job = try await eventually("a job that waits", within: LibraryInstallation.patience) {
                try await ada.allJobs().first { $0.kind == "listening.readSpotify" && $0.state == "scheduled" }
            }
            #expect(try await spotify.upstream.calls(Self.path) == 0)
            try await spotify.upstream.configure(["withheldScopes": .array([])])
            #expect(try await spotify.connect(ada, #"{"scopes":["\#(scope)"]}"#).status == 200)
            #expect(try await ada.ended(job.id).state == "succeeded")
            #expect(try await listens(of: ada, 50).total == 50)
        }
    }

    @Test("A read that fails permanently ends without a dead letter, and the next one reads what it would have read")
    func failedRead() async throws {
        let settings = ["BACKLINE_LISTENING_SPOTIFY_SECONDS": "1", "BACKLINE_JOBS_MAXIMUM_ATTEMPTS": "1"]
        try await LibraryInstallation.run(environment: settings) { library in
            let ada = try await library.base.addUser()
            try await library.fill(library.upstreams.spotify, tracks: 120, oddities: false)
            try await library.upstreams.spotify.injectFault("status502", endpoint: Self.path, times: 4)
            try await library.connectSpotify(ada)
            #expect(try await listens(of: ada, 50).total == 50)
            #expect(try await library.upstreams.spotify.calls(Self.path) > 4)
            #expect(try await ada.allJobs().allSatisfy { $0.state != "failed" })
        }
    }
}
