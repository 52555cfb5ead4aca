import Catalog
import Contracts
import Connections
import Model
import Storage
import Testing

@testable import CatalogWorker
@testable import Jobs
@testable import UpstreamSimulator
@testable import Workers

/// `catalog.item` against the simulated Apple Music.
@Suite("Handlers of questions about Apple Music's catalog", .timeLimit(.minutes(5)))
struct AppleMusicCatalogHandlerTests {
    /// A worker whose person has a user token in France, and the catalog there.
    private struct Fixture {
        let base: AppleMusicFixture
        let documents: AppleMusicDocuments

        func run(_ type: CatalogType, _ id: String, offset: Int = 0, market: String = "fr") async throws
            -> (result: CatalogResult, question: CatalogQuestion)
        {
            let payload = CatalogItemPayload(source: .appleMusic, type: type, id: id, market: market, offset: offset)
            let kind = TypedJobKind.catalogItem
            let handler = try #require(
                try WorkerDomain.catalog.handlers(base.process).first { $0.kind.name == kind.kind.name })
            let job = AssignedJob(
                run: JobRun(jobID: "j", run: 1), userID: SystemUser.id, kind: kind.kind.name, version: 1, attempt: 1,
                maximumAttempts: 5, priority: 10, payload: try kind.text(ofPayload: payload), person: base.userID)
            let outcome = try await handler.run(JobContext(job: job, report: { _ in }, checkpoints: nil))
            try await base.process.database.write { transaction in
                var submissions = JobSubmissions(maximumAttempts: 5, trace: nil)
                try outcome.write?(transaction, &submissions)
            }
            return (try kind.result(from: outcome.result), .item(payload))
        }

        /// What the database contains after the question.
        func answer(
            _ type: CatalogType, _ id: String, offset: Int = 0, market: String = "fr"
        ) async throws -> CatalogAnswer? {
            let (result, question) = try await run(type, id, offset: offset, market: market)
            #expect(result == .stored)
            let userID = base.userID
            return try await base.process.database.read { reader in
                guard question.isPersonal else { return try reader.catalog.answer(to: question, now: .now()) }
                let account = try reader.connections.record(userID: userID, provider: "appleMusic")?.consentMark ?? ""
                return try reader.catalog.answer(to: question, userID: userID, account: account, now: .now())
            }
        }

        /// An item that has to be there.
        func item(
            _ type: CatalogType, _ id: String, offset: Int = 0, market: String = "fr"
        ) async throws -> CatalogItem {
            guard case .item(let item) = try await answer(type, id, offset: offset, market: market) else {
                throw NoItem()
            }
            return item
        }

        func trouble(_ type: CatalogType, _ id: String) async throws -> CatalogResult.Trouble? {
            try await run(type, id).result.trouble
        }

        struct NoItem: Error {}
    }

    private func run(_ body: @escaping @Sendable (Fixture) async throws -> Void) async throws {
        try await AppleMusicFixture.run { base in
            let catalog = RecordingCatalog(seed: 3, count: 2_000)
            base.simulator.recordings.replace(by: catalog)
            try await body(Fixture(base: base, documents: AppleMusicDocuments(catalog: catalog, storefront: "fr")))
        }
    }

    @Test("A song, an album and an artist are stored with their contents, for everybody in the country")
    func storedItems() async throws {
        try await run { fixture in
            try await fixture.base.enter(userToken: fixture.base.key.userToken)
            let (documents, catalog) = (fixture.documents, fixture.documents.catalog)
            let release = Release(artist: 9, edition: .deluxe)
            let entry = try #require(documents.songs(of: release).first)
            let name = catalog.name(ofArtist: 9, on: .apple)
            guard case .track(let track) = try await fixture.item(.track, documents.id(of: entry)).subject,
                case let album = try await fixture.item(.album, documents.id(of: release)),
                case .album(let found) = album.subject,
                case let artist = try await fixture.item(.artist, documents.id(ofArtist: 9)),
                case .artist(let about) = artist.subject
            else {
                Issue.record("an item is of another type")
                return
            }
            #expect(track.title == catalog.title(of: entry, on: .apple))
            #expect(track.artists == [CatalogReference(sourceID: documents.id(ofArtist: 9), name: name)])
            #expect(track.album?.sourceID == documents.id(of: release) && track.durationMs != nil)
            #expect(track.url?.hasPrefix("https://music.apple.com/fr/") == true && !track.pictures.isEmpty)
            #expect(found.name == catalog.title(of: release, on: .apple) && found.trackCount == 16)
            #expect(found.artists == track.artists)
            #expect(album.tracks?.items.map(\.sourceID) == documents.songs(of: release).map { documents.id(of: $0) })
            #expect(about.name == name && !about.genres.isEmpty && !about.pictures.isEmpty)
            #expect(artist.albums?.items.map(\.sourceID) == documents.albums(ofArtist: 9).map { documents.id(of: $0) })
            #expect(fixture.base.calls == 0, "the country was known")

            // Items of another kind, of another country, or that do not exist.
            let abroad = AppleMusicDocuments(catalog: catalog, storefront: "us")
            for (type, id) in [
                (CatalogType.track, documents.id(of: release)), (.album, abroad.id(of: release)),
                (.artist, "1"), (.playlist, "pl.u-nobodys"),
            ] {
                guard case .missing = try await fixture.answer(type, id) else {
                    Issue.record("there is no \(type) \(id)")
                    return
                }
            }
        }
    }

    @Test("A public playlist has its songs in pages, without its music videos")
    func publicPlaylist() async throws {
        try await run { fixture in
            try await fixture.base.enter(userToken: fixture.base.key.userToken)
            var plan = LibraryPlan()
            (plan.tracks, plan.playlists, plan.entries) = (300, 3, 150)
            let libraries = fixture.base.simulator.libraries
            try libraries.fill("somebody", plan)
            // The first playlist has a video among its first entries.
            let shared = try #require(libraries.library(of: "somebody").playlists.first)
            let id = try #require(shared.sharedID)
            let first = try await fixture.item(.playlist, id)
            guard case .playlist(let playlist) = first.subject else {
                Issue.record("no playlist")
                return
            }
            #expect(playlist.name == shared.name && playlist.ownerName == "somebody" && playlist.trackCount == nil)
            #expect(first.tracks?.items.count == 99 && first.tracks?.entryCount == 100)
            #expect(first.tracks?.nextOffset == 100)
            let rest = try await fixture.item(.playlist, id, offset: 100)
            #expect(rest.subject == nil && rest.tracks?.nextOffset == nil)
            #expect(rest.tracks?.items.count == fixture.documents.items(of: shared).count - 100)
            let end = try await fixture.item(.playlist, id, offset: 150)
            #expect(end.tracks?.items.isEmpty == true)
        }
    }

    @Test("While the country is unknown, Apple is asked for it, and the answer belongs to the person")
    func unknownCountry() async throws {
        try await run { fixture in
            try await fixture.base.enter(userToken: fixture.base.key.userToken)
            let id = fixture.documents.id(ofArtist: 4)
            guard case .artist(let artist) = try await fixture.item(.artist, id, market: "").subject else {
                Issue.record("no artist")
                return
            }
            #expect(artist.name == fixture.documents.catalog.name(ofArtist: 4, on: .apple))
            #expect(fixture.base.calls == 1)
            let payload = CatalogItemPayload(source: .appleMusic, type: .artist, id: id, market: "", offset: 0)
            #expect(CatalogQuestion.item(payload).isPersonal)
        }
    }

    @Test("A refused developer key is reported to its owner, and a 403 affects no connection")
    func refusedKeyAndForbidden() async throws {
        try await run { fixture in
            let (base, id) = (fixture.base, fixture.documents.id(ofArtist: 4))
            let never = try await fixture.trouble(.artist, id)
            #expect(never?.code == "appleMusicNotConnected" && never?.recovery == "reconnect")

            try await base.enter(userToken: base.key.userToken)
            base.simulator.recorder.add([FaultRule(fault: .forbidden403, times: 1)])
            let forbidden = try await fixture.trouble(.artist, id)
            #expect(forbidden?.code == "requestRefused" && forbidden?.recovery == "tellUser")
            var state = try await base.state
            #expect(state == .connected)

            // The installation's key.
            try base.simulator.apply(AppleMusicSettings(keyID: "OTHERKEY01"))
            let operators = try await fixture.trouble(.artist, id)
            #expect(operators?.code == "clientRefused" && operators?.recovery == "fixConfiguration")
            state = try await base.state
            #expect(state.isUsable)
            try base.simulator.apply(AppleMusicSettings(keyID: base.key.keyId))

            // The person's own key.
            try await base.enter(userToken: base.key.userToken, ownKeyID: "STRANGE001")
            let own = try await fixture.trouble(.artist, id)
            #expect(own?.code == "appleMusicNotConnected" && own?.recovery == "reconnect")
            state = try await base.state
            #expect(state == .needsReconnect(.keyRefused))
        }
    }

    @Test("An installation whose developer key cannot be read reports that")
    func unreadableKey() async throws {
        try await run { fixture in
            try await fixture.base.enter(userToken: fixture.base.key.userToken)
            try fixture.base.writeKeyFile(nil)
            let trouble = try await fixture.trouble(.artist, fixture.documents.id(ofArtist: 4))
            #expect(trouble?.code == "appleMusicNotConfigured" && trouble?.recovery == "fixConfiguration")
        }
    }
}
