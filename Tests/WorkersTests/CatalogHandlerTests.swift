import Catalog
import Contracts
import Model
import Storage
import TestSupport
import Testing

@testable import CatalogWorker
@testable import Jobs
@testable import UpstreamSimulator
@testable import Workers

/// The `catalog.…` jobs against the simulated Spotify, in both of its modes.
@Suite("Handlers of questions about Spotify's catalog", .timeLimit(.minutes(5)))
struct CatalogHandlerTests {
    /// A worker whose person has connected Spotify and has a library there.
    private struct Fixture {
        let base: WorkerFixture
        let process: WorkerProcess

        /// Runs a job, and makes the writes of its reply.
        func run<Payload>(
            _ kind: TypedJobKind<Payload, CatalogResult>, _ payload: Payload
        ) async throws -> CatalogResult {
            let handler = try #require(
                try WorkerDomain.catalog.handlers(process).first { $0.kind.name == kind.kind.name })
            let job = AssignedJob(
                run: JobRun(jobID: "j", run: 1), userID: SystemUser.id, kind: kind.kind.name, version: 1, attempt: 1,
                maximumAttempts: 5, priority: 10, payload: try kind.text(ofPayload: payload), person: base.userID)
            let outcome = try await handler.run(JobContext(job: job, report: { _ in }, checkpoints: nil))
            try await base.database.write { transaction in
                var submissions = JobSubmissions(maximumAttempts: 5, trace: nil)
                try outcome.write?(transaction, &submissions)
            }
            return try kind.result(from: outcome.result)
        }

        func search(
            _ text: String, _ types: [CatalogType] = CatalogType.allCases, offset: Int = 0
        ) async throws -> [CatalogType: CatalogAnswer] {
            let query = try #require(CatalogQuery(text, of: .spotify, market: "", offset: offset))
            #expect(try await run(.catalogSearch, query.payload(for: types)) == .stored)
            return try await base.database.read { reader in
                try types.reduce(into: [:]) {
                    $0[$1] = try reader.catalog.answer(to: .search(query, $1), now: .now())
                }
            }
        }

        func item(_ type: CatalogType, _ id: String, offset: Int = 0) async throws -> CatalogAnswer? {
            let payload = CatalogItemPayload(source: .spotify, type: type, id: id, market: "", offset: offset)
            #expect(try await run(.catalogItem, payload) == .stored)
            let (userID, question) = (base.userID, CatalogQuestion.item(payload))
            return try await base.database.read { reader in
                guard question.isPersonal else { return try reader.catalog.answer(to: question, now: .now()) }
                let account = try reader.connections.record(userID: userID, provider: "spotify")?.consentMark ?? ""
                return try reader.catalog.answer(to: question, userID: userID, account: account, now: .now())
            }
        }

        func top(_ list: CatalogTopPayload.List, _ range: TopRange) async throws -> CatalogAnswer? {
            let payload = CatalogTopPayload(list: list, range: range)
            #expect(try await run(.catalogTop, payload) == .stored)
            let userID = base.userID
            return try await base.database.read { reader in
                let account = try reader.connections.record(userID: userID, provider: "spotify")?.consentMark ?? ""
                return try reader.catalog.answer(to: .top(payload), userID: userID, account: account, now: .now())
            }
        }
    }

    private func run(
        mode: SpotifySettings.Mode,
        scopes: [String] = WorkerFixture.scopes + ["user-top-read", "playlist-read-private"],
        _ body: @escaping @Sendable (Fixture) async throws -> Void
    ) async throws {
        try await WorkerFixture.run { base in
            base.simulator.recordings.replace(by: RecordingCatalog(seed: 3, count: 2_000))
            try base.simulator.spotify.apply(SpotifySettings(mode: mode))
            var plan = LibraryPlan()
            (plan.tracks, plan.playlists) = (300, 12)
            try base.simulator.spotify.libraries.fill("demo-listener", plan)
            try await base.withWorker("sync-worker") { process in
                try await base.connect(by: process, scopes: scopes)
                try await body(Fixture(base: base, process: process))
            }
        }
    }

    @Test(
        "A search stores ten hits of each type, and further pages", arguments: [SpotifySettings.Mode.dev2026, .legacy])
    func storedSearch(mode: SpotifySettings.Mode) async throws {
        try await run(mode: mode) { fixture in
            let catalog = fixture.base.simulator.recordings.catalog
            let name = catalog.name(ofArtist: 0, on: .spotify)
            let answers = try await fixture.search(name)
            guard case .tracks(let tracks) = answers[.track], case .artists(let artists) = answers[.artist],
                case .albums(let albums) = answers[.album], case .playlists(let playlists) = answers[.playlist]
            else {
                Issue.record("an answer is missing")
                return
            }
            #expect(tracks.items.count == 10 && tracks.nextOffset == 10 && (tracks.total ?? 0) > 10)
            #expect(tracks.items.allSatisfy { !$0.artists.isEmpty && $0.album != nil && $0.durationMs != nil })
            let artist = try #require(artists.items.first { $0.name == name })
            #expect(artist.sourceID == catalog.spotifyID(.artist, 0))
            #expect(artist.genres.isEmpty == (mode == .dev2026))
            #expect(artist.url == "https://open.spotify.com/artist/\(artist.sourceID)")
            #expect(!albums.items.isEmpty && playlists.items.isEmpty)
            guard case .tracks(let next) = try await fixture.search(name, [.track], offset: 10)[.track] else { return }
            #expect(Set(next.items.map(\.sourceID)).isDisjoint(with: tracks.items.map(\.sourceID)))
        }
    }

    @Test("Top lists need a permission, and are empty for somebody new")
    func topLists() async throws {
        try await run(mode: .dev2026) { fixture in
            guard case .artists(let artists) = try await fixture.top(.artists, .short),
                case .tracks(let tracks) = try await fixture.top(.tracks, .long)
            else {
                Issue.record("an answer is missing")
                return
            }
            #expect(artists.items.count > 10 && tracks.items.count == 50)
            try fixture.base.simulator.spotify.libraries.fill("demo-listener", LibraryPlan())
            guard case .artists(let none) = try await fixture.top(.artists, .medium) else { return }
            #expect(none.items.isEmpty)
        }
        try await run(mode: .dev2026, scopes: WorkerFixture.scopes) { fixture in
            let result = try await fixture.run(.catalogTop, CatalogTopPayload(list: .artists, range: .short))
            #expect(result.trouble?.code == "scopeMissing" && result.trouble?.recovery == "askScope")
        }
    }

    @Test(
        "Items are stored with their contents; other people's playlists without them",
        arguments: [SpotifySettings.Mode.dev2026, .legacy])
    func storedItems(mode: SpotifySettings.Mode) async throws {
        try await run(mode: mode) { fixture in
            let catalog = fixture.base.simulator.recordings.catalog
            guard case .item(let artist) = try await fixture.item(.artist, catalog.spotifyID(.artist, 4)),
                case .artist(let about) = artist.subject, let albums = artist.albums
            else {
                Issue.record("no artist")
                return
            }
            #expect(about.name == catalog.name(ofArtist: 4, on: .spotify))
            #expect(!albums.items.isEmpty && albums.items.count <= 10)
            let first = try #require(albums.items.first)
            guard case .item(let album) = try await fixture.item(.album, first.sourceID),
                case .album(let found) = album.subject, let tracks = album.tracks
            else {
                Issue.record("no album")
                return
            }
            #expect(found.name == first.name && tracks.items.count == found.trackCount)
            let track = try #require(tracks.items.first)
            guard case .item(let single) = try await fixture.item(.track, track.sourceID),
                case .track(let whole) = single.subject
            else {
                Issue.record("no track")
                return
            }
            #expect(whole.title == track.title && whole.album?.sourceID == first.sourceID)

            let library = fixture.base.simulator.spotify.libraries.library(of: "demo-listener")
            let own = try #require(library.playlists.first { $0.owner == "demo-listener" && !$0.items.isEmpty })
            guard case .item(let playlist) = try await fixture.item(.playlist, own.id) else {
                Issue.record("no playlist")
                return
            }
            #expect(playlist.tracks?.items.isEmpty == false)
            if mode == .dev2026, let foreign = library.playlists.first(where: { $0.owner != "demo-listener" }),
                case .item(let closed) = try await fixture.item(.playlist, foreign.id)
            {
                #expect(closed.subject != nil && closed.tracks == nil)
            }
            let unknown = catalog.spotifyID(.track, 4_000_000_000)
            guard case .missing = try await fixture.item(.track, unknown) else {
                Issue.record("there is no such track")
                return
            }
        }
    }

    @Test("Spotify's refusals and pauses are results")
    func refusalsAndPauses() async throws {
        try await run(mode: .dev2026) { fixture in
            let recorder = fixture.base.simulator.spotify.recorder
            let query = try #require(CatalogQuery("rain", of: .spotify, market: ""))
            recorder.add([FaultRule(fault: .forbidden403, times: 1)])
            let refused = try await fixture.run(.catalogSearch, query.payload(for: [.track]))
            #expect(refused.trouble?.code == "forbidden" && refused.trouble?.recovery == "tellUser")
            let answer = try await fixture.base.database.read {
                try $0.catalog.answer(to: .search(query, .track), now: .now())
            }
            #expect(answer == nil)
        }
        try await WorkerFixture.run { base in
            try await base.withWorker("sync-worker") { process in
                let query = try #require(CatalogQuery("rain", of: .spotify, market: ""))
                let result = try await Fixture(base: base, process: process)
                    .run(.catalogSearch, query.payload(for: [.track]))
                #expect(result.trouble?.code == "spotifyNotConnected" && result.trouble?.recovery == "reconnect")
            }
        }
    }
}
