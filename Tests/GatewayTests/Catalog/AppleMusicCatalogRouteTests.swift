import Catalog
import Contracts
import DomainEvents
import Foundation
import HTTPTypes
import HummingbirdTesting
import Library
import LibraryWriting
import Connections
import Model
import Storage
import TestSupport
import Testing

@testable import CatalogHTTP
@testable import Gateway

/// Answers that are already stored, and the questions that a worker is asked.
@Suite("Catalog pages of Apple Music", .timeLimit(.minutes(5)))
struct AppleMusicCatalogRouteTests {
    private typealias Object = CatalogReader.Object

    private func run(
        connected: Bool = true, _ body: @escaping @Sendable (CatalogReader) async throws -> Void
    ) async throws {
        try await TestGateway.run { gateway in
            try await gateway.withClient { client in
                let reader = try await CatalogReader(gateway, client, connected: false)
                if connected {
                    try await gateway.database.connectAppleMusic(userID: reader.person.userID, country: "fr")
                }
                try await body(reader)
            }
        }
    }

    private static let album = "1440857781"
    private static let playlist = "pl.u-abc123"

    /// Stores an album of three songs, its first song, its artist and a playlist.
    private func fill(_ reader: CatalogReader) async throws {
        let userID = reader.person.userID
        try await reader.gateway.database.write { transaction in
            let account = try transaction.connections.record(userID: userID, provider: "appleMusic")?.consentMark ?? ""
            func store(_ type: CatalogType, _ id: String, offset: Int = 0, _ answer: CatalogAnswer) throws {
                let question = CatalogQuestion.item(
                    CatalogItemPayload(source: .appleMusic, type: type, id: id, market: "fr", offset: offset))
                guard question.isPersonal else {
                    return try transaction.catalog.store(answer, to: question, now: .now())
                }
                try transaction.catalog.store(answer, to: question, userID: userID, account: account, now: .now())
            }
            func page<Item>(_ items: [Item], next: Int? = nil) -> SourcePage<Item> {
                SourcePage(items: items, entryCount: items.count, total: nil, nextOffset: next)
            }
            var tracks = ["11", "12", "13"].map { CatalogTrack(sourceID: $0, title: "Song \($0)") }
            tracks[0].pictures = [
                CatalogPicture(address: "https://is1-ssl.mzstatic.com/image/a/{w}x{h}bb.jpg", width: nil)
            ]
            tracks[0].url = "https://music.apple.com/fr/album/1440857781?i=11"
            try store(.track, "11", .item(CatalogItem(.track(tracks[0]))))
            let album = CatalogAlbum(sourceID: Self.album, name: "Moon Safari")
            try store(
                .album, Self.album,
                .item(CatalogItem(.album(album), tracks: page(Array(tracks.prefix(2)), next: 2))))
            try store(.album, Self.album, offset: 2, .item(CatalogItem(nil, tracks: page([tracks[2]]))))
            let artist = CatalogArtist(sourceID: "5468295", name: "Air")
            try store(.artist, "5468295", .item(CatalogItem(.artist(artist), albums: page([album]))))
            let playlist = CatalogPlaylist(sourceID: Self.playlist, name: "Mix")
            try store(.playlist, Self.playlist, .item(CatalogItem(.playlist(playlist), tracks: page(tracks))))
            try store(.track, "99", .missing)
        }
    }

    @Test("Each type has its page, with the documented members, and further pages by cursor")
    func pagesOfItems() async throws {
        try await run { reader in
            try await fill(reader)
            for (type, id, schema, held) in [
                ("track", "11", "CatalogTrack", nil), ("album", Self.album, "CatalogAlbum", "tracks"),
                ("artist", "5468295", "CatalogArtist", "albums"),
                ("playlist", Self.playlist, "CatalogPlaylist", "tracks"),
            ] as [(String, String, String, String?)] {
                let item = try await reader.read("/v1/catalog/appleMusic/\(type)/\(id)")
                let members = try CatalogReader.required(schema).union(["type"]).union(held.map { [$0] } ?? [])
                #expect(Set(item.keys) == members, "\(type)")
                #expect(item["source"] as? String == "appleMusic" && item["sourceId"] as? String == id)
            }
            let track = try await reader.read("/v1/catalog/appleMusic/track/11")
            #expect((track["picture"] as? String)?.hasPrefix("/v1/pictures/") == true)
            #expect((track["url"] as? String)?.hasPrefix("https://music.apple.com/fr/") == true)
            let first = try await reader.read("/v1/catalog/appleMusic/album/\(Self.album)")
            let cursor = try #require((first["tracks"] as? Object)?["nextCursor"] as? String)
            let further = try await reader.read("/v1/catalog/appleMusic/album/\(Self.album)?cursor=\(cursor)")
            let rest = try #require(further["tracks"] as? Object)
            #expect((rest["items"] as? [Object])?.map { $0["sourceId"] as? String } == ["13"])
            #expect(rest["nextCursor"] is NSNull)
        }
    }

    @Test("Unknown items are not found, and malformed ids are not asked for")
    func unknownItems() async throws {
        try await run { reader in
            try await fill(reader)
            for path in [
                "track/99", "track/i.abc", "album/pl.u-abc123", "artist/\(String(repeating: "A", count: 22))",
                "playlist/12", "playlist/pl.", "playlist/pl.a%20b", "track/\(String(repeating: "1", count: 21))",
            ] {
                let response = try await reader.send(.get, "/v1/catalog/appleMusic/\(path)")
                #expect(try response.status == .notFound && response.problem.code == "notFound", "\(path)")
                #expect(try response.problem.detail.contains("Apple Music"))
            }
        }
    }

    @Test("Songs of a library are found by the catalog's ids, but only in its country")
    func songsOfTheLibrary() async throws {
        try await run { reader in
            try await fill(reader)
            let scan = try await reader.person.scan(.appleMusic)
            try await reader.gateway.database.write { transaction in
                let tracks = [("11", "fr"), ("12", "us"), (nil, "fr")].enumerated().map { index, place in
                    var track = SourceTrack(
                        sourceID: "i.\(index)", title: "Saved \(index)", artist: "Air", album: "Moon Safari")
                    (track.catalogID, track.storefront) = place
                    return track
                }
                _ = try transaction.tracks.storeSavedTracks(tracks, by: scan, isWhole: false, now: .now())
            }
            let saved = try await reader.read("/v1/library/tracks?q=saved%200")
            let id = try #require((saved["items"] as? [Object])?.first?["id"] as? String)
            let album = try await reader.read("/v1/catalog/appleMusic/album/\(Self.album)")
            let items = try #require((album["tracks"] as? Object)?["items"] as? [Object])
            #expect(items.map { $0["libraryTrackId"] as? String } == [id, nil])
            #expect(album["libraryAlbumId"] is NSNull)
        }
    }

    @Test("Without a usable connection, the problem says what to do")
    func unusableConnection() async throws {
        try await run(connected: false) { reader in
            let path = "/v1/catalog/appleMusic/album/\(Self.album)"
            let never = try await reader.send(.get, path)
            #expect(try never.status == .conflict && never.problem.code == "appleMusicNotConnected")
            #expect(try never.problem.detail.contains("/setup/apple-music"))
            let userID = reader.person.userID
            try await reader.gateway.database.connectAppleMusic(userID: userID, country: "fr")
            try await fill(reader)
            #expect(try await reader.send(.get, path).status == .ok)
            try await reader.gateway.database.write { transaction in
                try transaction.connections.handle(
                    .userTokenRefused, userID: userID, provider: .appleMusic, now: .now())
            }
            let lost = try await reader.send(.get, path)
            #expect(try lost.problem.code == "appleMusicNotConnected" && lost.problem.detail.contains("again"))
        }
    }

    @Test("People of one country share answers; before their country is known they share none")
    func answersOfACountry() async throws {
        try await CatalogFixture.run { fixture in
            var people: [String] = []
            for (name, country) in [("ada", "fr"), ("bob", "fr"), ("cy", nil), ("di", nil)] {
                let person = try await fixture.database.addPerson(name)
                people.append(person)
                try await fixture.database.connectAppleMusic(userID: person, country: country)
                _ = try await fixture.service.item(.album, of: .appleMusic, id: "7", offset: 0, userID: person)
            }
            #expect(fixture.calls.elements == ["ada: album 7", "cy: album 7", "di: album 7"])
            _ = try await fixture.service.item(.album, of: .appleMusic, id: "7", offset: 0, userID: people[2])
            #expect(fixture.calls.elements.count == 3)
            // Disconnecting deletes answers that were only the person's.
            try await fixture.database.write { [cy = people[2]] in
                try $0.publish(AccountRemoved(userID: cy, provider: .appleMusic, remaining: []))
            }
            _ = try await fixture.service.item(.album, of: .appleMusic, id: "7", offset: 0, userID: people[2])
            #expect(fixture.calls.elements.count == 4)
        }
    }

    @Test("A refusal of the installation's developer key is reported as a matter for the operator")
    func refusedDeveloperKey() async throws {
        try await CatalogFixture.run { _ in
            throw ProviderFailure(.appleMusic, .clientRefused, message: "Apple does not accept the key.")
        } _: { fixture in
            let ada = try await fixture.database.addPerson("ada")
            try await fixture.database.connectAppleMusic(userID: ada, country: "fr")
            let problem = try await #require(throws: Problem.self) {
                _ = try await fixture.service.item(.album, of: .appleMusic, id: "7", offset: 0, userID: ada)
            }
            #expect(problem.code == .clientRefused && problem.status == .conflict)
            #expect(problem.recovery == "fixConfiguration" && problem.title == "Apple Music does not answer this")
        }
    }
}
