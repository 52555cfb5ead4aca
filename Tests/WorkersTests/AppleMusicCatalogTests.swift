import Catalog
import Contracts
import LinkedAccounts
import Model
import Storage
import Testing

@testable import Jobs
@testable import UpstreamSimulator
@testable import Workers

/// `catalog.item` against the simulated Apple Music.
@Suite("Handlers of questions about Apple Music's catalog", .timeLimit(.minutes(5)))
struct AppleMusicCatalogTests {
    /// A worker whose person has a user token in France, and the catalog there.
    private struct Bench {
        let base: AppleMusicBench
        let writer: AppleMusicWriter

        func run(_ type: CatalogType, _ id: String, offset: Int = 0, market: String = "fr") async throws
            -> (result: CatalogResult, question: CatalogQuestion)
        {
            let payload = CatalogItemPayload(source: .appleMusic, type: type, id: id, market: market, offset: offset)
            let kind = TypedJobKind.catalogItem
            let handler = try #require(
                try WorkerDomain.catalog.handlers(base.process).first { $0.kind.name == kind.kind.name })
            let job = HandedJob(
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

    private func run(_ body: @escaping @Sendable (Bench) async throws -> Void) async throws {
        try await AppleMusicBench.run { base in
            let catalogue = RecordingCatalogue(seed: 3, count: 2_000)
            base.simulator.recordings.replace(by: catalogue)
            try await body(Bench(base: base, writer: AppleMusicWriter(catalogue: catalogue, storefront: "fr")))
        }
    }

    @Test("A song, an album and an artist are stored with their contents, for everybody in the country")
    func items() async throws {
        try await run { bench in
            try await bench.base.enter(userToken: bench.base.key.userToken)
            let (writer, catalogue) = (bench.writer, bench.writer.catalogue)
            let release = Release(artist: 9, edition: .deluxe)
            let entry = try #require(writer.songs(of: release).first)
            let name = catalogue.name(ofArtist: 9, on: .apple)
            guard case .track(let track) = try await bench.item(.track, writer.id(of: entry)).subject,
                case let album = try await bench.item(.album, writer.id(of: release)),
                case .album(let found) = album.subject,
                case let artist = try await bench.item(.artist, writer.id(ofArtist: 9)),
                case .artist(let about) = artist.subject
            else {
                Issue.record("an item is of another type")
                return
            }
            #expect(track.title == catalogue.title(of: entry, on: .apple))
            #expect(track.artists == [CatalogReference(sourceID: writer.id(ofArtist: 9), name: name)])
            #expect(track.album?.sourceID == writer.id(of: release) && track.durationMs != nil)
            #expect(track.url?.hasPrefix("https://music.apple.com/fr/") == true && !track.pictures.isEmpty)
            #expect(found.name == catalogue.title(of: release, on: .apple) && found.trackCount == 16)
            #expect(found.artists == track.artists)
            #expect(album.tracks?.items.map(\.sourceID) == writer.songs(of: release).map { writer.id(of: $0) })
            #expect(about.name == name && !about.genres.isEmpty && !about.pictures.isEmpty)
            #expect(artist.albums?.items.map(\.sourceID) == writer.albums(ofArtist: 9).map { writer.id(of: $0) })
            #expect(bench.base.calls == 0, "the country was known")

            // Items of another kind, of another country, or that do not exist.
            let abroad = AppleMusicWriter(catalogue: catalogue, storefront: "us")
            for (type, id) in [
                (CatalogType.track, writer.id(of: release)), (.album, abroad.id(of: release)),
                (.artist, "1"), (.playlist, "pl.u-nobodys"),
            ] {
                guard case .missing = try await bench.answer(type, id) else {
                    Issue.record("there is no \(type) \(id)")
                    return
                }
            }
        }
    }

    @Test("A public playlist has its songs in pages, without its music videos")
    func playlist() async throws {
        try await run { bench in
            try await bench.base.enter(userToken: bench.base.key.userToken)
            var plan = LibraryPlan()
            (plan.tracks, plan.playlists, plan.entries) = (300, 3, 150)
            let libraries = bench.base.simulator.libraries
            try libraries.fill("somebody", plan)
            // The first playlist has a video among its first entries.
            let shared = try #require(libraries.library(of: "somebody").playlists.first)
            let id = try #require(shared.sharedID)
            let first = try await bench.item(.playlist, id)
            guard case .playlist(let playlist) = first.subject else {
                Issue.record("no playlist")
                return
            }
            #expect(playlist.name == shared.name && playlist.ownerName == "somebody" && playlist.trackCount == nil)
            #expect(first.tracks?.items.count == 99 && first.tracks?.entryCount == 100)
            #expect(first.tracks?.nextOffset == 100)
            let rest = try await bench.item(.playlist, id, offset: 100)
            #expect(rest.subject == nil && rest.tracks?.nextOffset == nil)
            #expect(rest.tracks?.items.count == bench.writer.items(of: shared).count - 100)
            let end = try await bench.item(.playlist, id, offset: 150)
            #expect(end.tracks?.items.isEmpty == true)
        }
    }

    @Test("While the country is unknown, Apple is asked for it, and the answer belongs to the person")
    func country() async throws {
        try await run { bench in
            try await bench.base.enter(userToken: bench.base.key.userToken)
            let id = bench.writer.id(ofArtist: 4)
            guard case .artist(let artist) = try await bench.item(.artist, id, market: "").subject else {
                Issue.record("no artist")
                return
            }
            #expect(artist.name == bench.writer.catalogue.name(ofArtist: 4, on: .apple))
            #expect(bench.base.calls == 1)
            let payload = CatalogItemPayload(source: .appleMusic, type: .artist, id: id, market: "", offset: 0)
            #expect(CatalogQuestion.item(payload).isPersonal)
        }
    }

    @Test("A refused developer key is reported to its owner, and a 403 affects no connection")
    func refusals() async throws {
        try await run { bench in
            let (base, id) = (bench.base, bench.writer.id(ofArtist: 4))
            let never = try await bench.trouble(.artist, id)
            #expect(never?.code == "appleMusicNotConnected" && never?.recovery == "reconnect")

            try await base.enter(userToken: base.key.userToken)
            base.simulator.recorder.add([FaultRule(fault: .forbidden403, times: 1)])
            let forbidden = try await bench.trouble(.artist, id)
            #expect(forbidden?.code == "requestRefused" && forbidden?.recovery == "tellUser")
            var state = try await base.state
            #expect(state == .connected)

            // The installation's key.
            try base.simulator.apply(AppleMusicSettings(keyID: "OTHERKEY01"))
            let operators = try await bench.trouble(.artist, id)
            #expect(operators?.code == "clientRefused" && operators?.recovery == "fixConfiguration")
            state = try await base.state
            #expect(state.isUsable)
            try base.simulator.apply(AppleMusicSettings(keyID: base.key.keyId))

            // The person's own key.
            try await base.enter(userToken: base.key.userToken, ownKeyID: "STRANGE001")
            let own = try await bench.trouble(.artist, id)
            #expect(own?.code == "appleMusicNotConnected" && own?.recovery == "reconnect")
            state = try await base.state
            #expect(state == .needsReconnect(.keyRefused))
        }
    }

    @Test("An installation whose developer key cannot be read reports that")
    func unreadableKey() async throws {
        try await run { bench in
            try await bench.base.enter(userToken: bench.base.key.userToken)
            try bench.base.writeKeyFile(nil)
            let trouble = try await bench.trouble(.artist, bench.writer.id(ofArtist: 4))
            #expect(trouble?.code == "appleMusicNotConfigured" && trouble?.recovery == "fixConfiguration")
        }
    }
}
