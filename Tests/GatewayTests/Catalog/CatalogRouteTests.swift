import Accounts
import Catalog
import Concerts
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing

@testable import CatalogHTTP
@testable import Gateway

/// Answers that are already stored, as pages read them.
@Suite("Searches, top lists and catalog pages over HTTP", .timeLimit(.minutes(5)))
struct CatalogRouteTests {
    private typealias Object = [String: Any]

    private func run(
        connected: Bool = true, _ body: @escaping @Sendable (CatalogReader) async throws -> Void
    ) async throws {
        try await TestGateway.run { gateway in
            try await gateway.withClient { client in
                try await body(try await CatalogReader(gateway, client, connected: connected))
            }
        }
    }

    @Test("A search has the person's own library first, then Spotify's hits, with the documented members")
    func searchOfLibraryAndSpotify() async throws {
        try await run { reader in
            try await reader.person.fill()
            try await reader.know("song")
            let answer = try await reader.read("/v1/search?q=Song")
            #expect(Set(answer.keys) == ["library", "tracks", "albums", "artists", "playlists", "problem"])
            #expect(answer["problem"] is NSNull)
            let library = try #require(answer["library"] as? Object)
            #expect(Set(library.keys) == ["tracks", "albums", "playlists"])
            #expect((library["tracks"] as? Object)?["total"] as? Int == 9)
            for (section, schema) in [
                ("tracks", "CatalogTrack"), ("albums", "CatalogAlbum"), ("artists", "CatalogArtist"),
                ("playlists", "CatalogPlaylist"),
            ] {
                let page = try #require(answer[section] as? Object)
                #expect(page["total"] as? Int == 25)
                let item = try #require((page["items"] as? [Object])?.first)
                #expect(Set(item.keys) == (try CatalogReader.required(schema)), "\(section)")
            }
            let track = try #require(((answer["tracks"] as? Object)?["items"] as? [Object])?.first)
            #expect(track["artist"] as? String == "Air, Moby" && track["libraryTrackId"] is NSNull)
            #expect((track["picture"] as? String)?.hasPrefix("/v1/pictures/") == true)

            // Some types, and a further page of one of them.
            let some = try await reader.read("/v1/search?q=song&types=playlist,%20track")
            #expect(Set(some.keys) == ["library", "tracks", "playlists", "problem"])
            let cursor = try #require((some["tracks"] as? Object)?["nextCursor"] as? String)
            try await reader.know("song", [.track], offset: 10)
            let next = try await reader.read("/v1/search?q=song&cursor=\(cursor)")
            #expect(Set(next.keys) == ["tracks"])
            #expect(((next["tracks"] as? Object)?["items"] as? [Object])?.first?["sourceId"] as? String == "id-10")
        }
    }

    @Test("Items say whether the person has them already")
    func itemsOfTheLibrary() async throws {
        try await run { reader in
            try await reader.person.fill()
            // Song 7 is at Spotify; song 3 is at Apple Music.
            let saved = try await reader.read("/v1/library/tracks?q=song%207")
            let id = try #require((saved["items"] as? [Object])?.first?["id"] as? String)
            try await reader.gateway.database.write { transaction in
                let query = try #require(CatalogQuery("seven", of: .spotify, market: ""))
                let tracks = ["spotify-7", "spotify-3"].map { CatalogTrack(sourceID: $0, title: $0) }
                try transaction.catalog.store(
                    .tracks(SourcePage(items: tracks, entryCount: 2, total: 2, nextOffset: nil)),
                    to: .search(query, .track), now: .now())
            }
            let answer = try await reader.read("/v1/search?q=seven&types=track")
            let items = try #require((answer["tracks"] as? Object)?["items"] as? [Object])
            #expect(items.map { $0["libraryTrackId"] as? String } == [id, nil])

            try await reader.know("Air", [.artist])
            #expect(try await isRanked(reader, "Air") == false)
            for body in [#"{"name":"AIR"}"#, #"{"name":"Other","spotifyId":"AAAAAAAAAAAAAAAAAAAAAA"}"#] {
                let added = try await reader.send(.post, "/v1/artists", body)
                #expect(added.status == .created)
                #expect(try await isRanked(reader, "Air") == true)
                let artist = try #require(try CatalogReader.object(added)["id"] as? String)
                #expect(try await reader.send(.delete, "/v1/artists/\(artist)").status == .noContent)
            }
        }
    }

    private func isRanked(_ reader: CatalogReader, _ name: String) async throws -> Bool? {
        let answer = try await reader.read("/v1/artists/search?q=\(name)")
        return (answer["items"] as? [Object])?.first?["isRanked"] as? Bool
    }

    @Test("Without Spotify, the person's own library is still searched, and everything else says what to do")
    func searchWithoutSpotify() async throws {
        try await run(connected: false) { reader in
            try await reader.person.fill()
            let answer = try await reader.read("/v1/search?q=song")
            #expect(Set(answer.keys) == ["library", "problem"])
            #expect(((answer["library"] as? Object)?["tracks"] as? Object)?["total"] as? Int == 9)
            let problem = try #require(answer["problem"] as? Object)
            #expect(problem["code"] as? String == "spotifyNotConnected" && problem["status"] as? Int == 409)
            for path in [
                "/v1/artists/search?q=air", "/v1/artists/top", "/v1/tracks/top?timeRange=long_term",
                "/v1/catalog/spotify/artist/\(String(repeating: "A", count: 22))",
            ] {
                let response = try await reader.send(.get, path)
                #expect(response.status == .conflict, "\(path)")
                #expect(try response.problem.code == "spotifyNotConnected")
                #expect(try response.problem.detail.contains("/setup/spotify"))
            }
        }
    }

    @Test(
        "Wrong parameters are refused by name",
        arguments: [
            ("/v1/search", "q"), ("/v1/search?q=%27", "q"), ("/v1/search?q=\(String(repeating: "a", count: 201))", "q"),
            ("/v1/search?q=a&types=song", "types"), ("/v1/search?q=a&types=,", "types"),
            ("/v1/search?q=a&screen=a%20b", "screen"), ("/v1/search?q=a&cursor=x", "cursor"),
            ("/v1/artists/top?timeRange=week", "timeRange"), ("/v1/artists/search?q=a&cursor=track.10~0", "cursor"),
        ])
    func wrongParameters(path: String, field: String) async throws {
        try await run { reader in
            let response = try await reader.send(.get, path)
            #expect(response.status == .unprocessableContent)
            #expect(try response.problem.code == "invalidParameter" && response.problem.field == field)
        }
    }

    @Test(
        "A cursor that was made by hand is refused, unless its offset is one that a worker can compute with",
        arguments: [Int.max, Int.max - 1, Int.min, -1, 10_001])
    func forgedCursors(offset: Int) async throws {
        try await run { reader in
            let (search, item) = (CatalogCursors.search, CatalogCursors.item)
            for path in [
                "/v1/search?q=a&cursor=\(search.text(of: "track", offset))",
                "/v1/artists/search?q=a&cursor=\(search.text(of: "artist", offset))",
                "/v1/catalog/spotify/album/\(String(repeating: "A", count: 22))?cursor=\(item.text(of: offset))",
            ] {
                let response = try await reader.send(.get, path)
                #expect(response.status == .unprocessableContent, "\(path)")
                #expect(try response.problem.field == "cursor")
            }
        }
    }

    @Test("A catalog page has an item with its contents, and further pages by cursor")
    func pagesOfItems() async throws {
        try await run { reader in
            let id = String(repeating: "C", count: 22)
            try await reader.gateway.database.write { transaction in
                func store(_ type: CatalogType, offset: Int = 0, _ item: CatalogItem) throws {
                    let payload = CatalogItemPayload(source: .spotify, type: type, id: id, market: "", offset: offset)
                    try transaction.catalog.store(.item(item), to: .item(payload), now: .now())
                }
                func page<Item>(_ items: [Item], next: Int?) -> SourcePage<Item> {
                    SourcePage(items: items, entryCount: items.count, total: 3, nextOffset: next)
                }
                let tracks = ["1", "2", "3"].map { CatalogTrack(sourceID: $0, title: "Track \($0)") }
                try store(
                    .album,
                    CatalogItem(
                        .album(CatalogAlbum(sourceID: id, name: "Moon Safari")),
                        tracks: page(Array(tracks.prefix(2)), next: 2)))
                try store(.album, offset: 2, CatalogItem(nil, tracks: page([tracks[2]], next: nil)))
                try store(.artist, CatalogItem(.artist(CatalogArtist(sourceID: id, name: "Air"))))
                try store(.track, CatalogItem(.track(tracks[0])))
            }
            let album = try await reader.read("/v1/catalog/spotify/album/\(id)")
            #expect(album["type"] as? String == "album" && album["name"] as? String == "Moon Safari")
            let first = try #require(album["tracks"] as? Object)
            #expect((first["items"] as? [Object])?.map { $0["title"] as? String } == ["Track 1", "Track 2"])
            let cursor = try #require(first["nextCursor"] as? String)
            let further = try await reader.read("/v1/catalog/spotify/album/\(id)?cursor=\(cursor)")
            #expect(further["name"] as? String == "Moon Safari")
            let rest = try #require(further["tracks"] as? Object)
            #expect((rest["items"] as? [Object])?.map { $0["title"] as? String } == ["Track 3"])
            #expect(rest["nextCursor"] is NSNull)
            let artist = try await reader.read("/v1/catalog/spotify/artist/\(id)")
            #expect(artist["albums"] is NSNull && artist["isRanked"] as? Bool == false)
            #expect(try await reader.read("/v1/catalog/spotify/track/\(id)")["type"] as? String == "track")

            for path in ["spotify/album/no-id", "spotify/show/\(id)", "deezer/album/\(id)"] {
                #expect(try await reader.send(.get, "/v1/catalog/\(path)").status == .notFound, "\(path)")
            }
        }
    }

    @Test("A list that was never saved is filled with top artists once, and reset whenever its person wants")
    func resetOfTheArtistList() async throws {
        try await run { reader in
            @Sendable func list(_ response: TestResponse) throws -> (names: [String], isSaved: Bool) {
                let object = try CatalogReader.object(response)
                return (
                    (object["artists"] as? [Object] ?? []).compactMap { $0["name"] as? String },
                    object["isSaved"] as? Bool ?? false
                )
            }
            #expect(try list(try await reader.send(.get, "/v1/artists")) == ([], false))
            try await reader.know(top: .artists, .short, [])
            let nothing = try await reader.send(.post, "/v1/artists/reset")
            #expect(try nothing.status == .conflict && nothing.problem.code == "noTopArtists")
            let first = #"{"onlyIfNeverSaved":true}"#
            let opened = try await reader.send(.post, "/v1/artists/reset", first)
            #expect(try opened.status == .ok && list(opened) == ([], false))
            #expect(try list(try await reader.send(.get, "/v1/artists")).isSaved == false)

            // Names that fold alike cannot both be in the list, and an empty one cannot be in it at all.
            let names = ["Air", "", "AIR"] + (1...12).map { "Artist \($0)" }
            try await reader.know(top: .artists, .short, names)
            try await reader.know(top: .artists, .long, ["Moby"])
            let filled = try await reader.send(.post, "/v1/artists/reset", first)
            let expected = ["Air"] + (1...9).map { "Artist \($0)" }
            #expect(try filled.status == .ok && list(filled) == (expected, true))
            let artist = try #require((try CatalogReader.object(filled)["artists"] as? [Object])?.first)
            #expect(artist["genres"] as? [String] == ["genre 0"])
            #expect((artist["spotifyId"] as? String)?.hasSuffix("10") == true)
            #expect((artist["picture"] as? String)?.hasPrefix("/v1/pictures/") == true)

            let emptied = try await reader.send(.put, "/v1/artists", #"{"artists":[]}"#)
            #expect(try list(emptied) == ([], true))
            #expect(try list(try await reader.send(.post, "/v1/artists/reset", first)) == ([], true))
            let long = try await reader.send(.post, "/v1/artists/reset", #"{"timeRange":"long_term"}"#)
            #expect(try list(long) == (["Moby"], true))
            let wrong = try await reader.send(.post, "/v1/artists/reset", #"{"timeRange":"week"}"#)
            #expect(try wrong.problem.field == "$.timeRange")
        }
    }

    @Test("An artist keeps Spotify's id, picture and genres, even when the list is sent back")
    func detailsOfAnArtist() async throws {
        try await run { reader in
            try await reader.know("Air", [.artist])
            let found = try #require(
                (try await reader.read("/v1/artists/search?q=air")["items"] as? [Object])?.first)
            let picture = try #require(found["picture"] as? String)
            let id = try #require(found["sourceId"] as? String)
            let added = try CatalogReader.object(
                try await reader.send(
                    .post, "/v1/artists",
                    #"{"name":"Air","spotifyId":"\#(id)","genres":["ambient"],"picture":"\#(picture)"}"#))
            #expect(added["spotifyId"] as? String == id && added["picture"] as? String == picture)
            #expect(added["genres"] as? [String] == ["ambient"])
            let again = try await reader.send(
                .post, "/v1/artists", #"{"name":"Air (France)","spotifyId":"\#(id)"}"#)
            #expect(try again.status == .conflict && again.problem.code == "duplicateArtist")
            for wrong in ["short", "spotify:artist:1"] {
                let refused = try await reader.send(
                    .post, "/v1/artists", #"{"name":"Moby","spotifyId":"\#(wrong)"}"#)
                #expect(try refused.problem.field == "$.spotifyId")
            }
            // Pictures from other hosts are ignored.
            let moby = String(repeating: "D", count: 22)
            let other = try CatalogReader.object(
                try await reader.send(
                    .post, "/v1/artists",
                    #"{"name":"Moby","spotifyId":"\#(moby)","picture":"https://a.example/b"}"#))
            #expect(other["picture"] is NSNull)

            let list = String(buffer: try await reader.send(.get, "/v1/artists").body)
            let returned = try await reader.send(.put, "/v1/artists", list)
            #expect(String(buffer: returned.body) == list)
            // Sending only the names loses nothing.
            let names = try await reader.send(.put, "/v1/artists", #"{"artists":["Air","Moby"]}"#)
            #expect(String(buffer: names.body) == list)
        }
    }
}
