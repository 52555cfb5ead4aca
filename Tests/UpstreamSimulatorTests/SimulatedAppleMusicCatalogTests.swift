import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

@Suite("The simulated Apple Music's catalog")
struct SimulatedAppleMusicCatalogTests {
    private static let settings = #"{"count": 2000, "seed": 3}"#
    private let catalog = RecordingCatalog(seed: 3, count: 2_000)

    /// A recording that the storefront sells and whose releases all have the same code, which no other recording has.
    private func plainRecording(in storefront: String) throws -> Int {
        try #require(
            (40..<2_000).first { recording in
                guard let code = self.code(of: recording) else { return false }
                return catalog.entries(withISRC: code, on: .apple) == Entry.all(of: recording)
                    && catalog.isAvailable(recording, in: storefront)
            })
    }

    private func code(of recording: Int) -> String? { catalog.isrc(of: Entry.all(of: recording)[0], on: .apple) }

    @Test("Ids find songs only in their storefront, and unknown ones are left out")
    func idsOfAStorefront() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            var visitor = try await AppleMusicVisitor(server)
            // The catalog needs no user token.
            visitor.userToken = nil
            let recording = try plainRecording(in: "fr")
            let id = try #require(RecordingTruth(recording, of: catalog, storefront: "fr").apple.first?.id)
            let found = try await visitor.list("catalog/fr/songs?ids=\(id),9999999999,12")
            #expect(found.map(\.id) == [id])
            #expect(found[0].path("attributes", "isrc") as? String == code(of: recording))
            #expect(try await visitor.list("catalog/us/songs?ids=\(id)").isEmpty)
            #expect(try await visitor.list("catalog/fr/songs/\(id)").map(\.id) == [id])
            #expect(try await visitor.refusal("catalog/us/songs/\(id)") == CallRefusal(404, "40400"))
            #expect(try await visitor.refusal("catalog/xx/songs?ids=\(id)").status == 404)
            let most = (0..<300).map { String(1_000_000_000 + $0) }
            #expect(try await visitor.get("catalog/fr/songs?ids=\(most.joined(separator: ","))").status == 200)
            let refusal = try await visitor.refusal("catalog/fr/songs?ids=\((most + ["1"]).joined(separator: ","))")
            #expect(refusal == CallRefusal(400, "40005", parameter: "ids"))
            #expect(try await visitor.refusal("catalog/fr/songs").status == 400)
        }
    }

    @Test("A code finds any number of songs; up to 25 codes are accepted, in their plain form")
    func codesOfSongs() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let visitor = try await AppleMusicVisitor(server)
            let recording = try plainRecording(in: "fr")
            let code = try #require(self.code(of: recording))
            let songs = try await visitor.list("catalog/fr/songs?filter[isrc]=\(code),XXAAA0000000")
            let truth = RecordingTruth(recording, of: catalog, storefront: "fr")
            #expect(Set(songs.map(\.id)) == Set(truth.apple.map(\.id)))
            let encoded = try await visitor.list("catalog/fr/songs?filter%5Bisrc%5D=\(code)")
            #expect(encoded.count == songs.count)
            #expect(try await visitor.list("catalog/fr/songs?filter[isrc]=\(code.lowercased())").isEmpty)
            let many = Array(repeating: code, count: 26).joined(separator: ",")
            let refusal = try await visitor.refusal("catalog/fr/songs?filter[isrc]=\(many)")
            #expect(refusal == CallRefusal(400, "40005", parameter: "filter[isrc]"))
            let counters = try await server.send("GET", "/_sim/apple-music/counters").json
            let name = "GET /apple-music/v1/catalog/{storefront}/songs isrc"
            #expect(counters?.path(name, "arrivals") as? Int == 4)
        }
    }

    @Test("A search finds a song by its title and artist")
    func searchedSongs() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let visitor = try await AppleMusicVisitor(server)
            let recording = try plainRecording(in: "fr")
            let listing = try #require(RecordingTruth(recording, of: catalog, storefront: "fr").apple.first)
            let term = "\(listing.artist) \(listing.title)"
            let query = term.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let found = try await visitor.read("catalog/fr/search?types=songs&limit=25&term=\(query)")
            let songs = found.path("results", "songs", "data") as? [[String: Any]] ?? []
            #expect(songs.map(\.id).contains(listing.id), "\(term)")
            let none = try await visitor.read("catalog/fr/search?types=songs&term=nothinghasthisword")
            #expect((none["results"] as? [String: Any])?.isEmpty == true)
            #expect(
                try await visitor.refusal("catalog/fr/search?types=songs&term=a&limit=26")
                    == CallRefusal(400, "40005", parameter: "limit"))
        }
    }

    @Test("A search returns songs, albums and artists: each type that has results")
    func searchTypes() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let visitor = try await AppleMusicVisitor(server)
            func search(_ term: String, _ rest: String) async throws -> [String: Any] {
                let query = term.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return try await visitor.read("catalog/fr/search?term=\(query)&\(rest)")
            }
            let artist = catalog.name(ofArtist: 3, on: .apple)
            let found = try await search(artist, "types=artists,albums,songs,stations&limit=25")
            #expect(found.path("meta", "results", "order") as? [String] == ["artists", "albums", "songs"])
            let artists = try #require(found.path("results", "artists", "data") as? [[String: Any]])
            #expect(artists.contains { $0.path("attributes", "name") as? String == artist }, "\(artist)")
            let albums = try #require(found.path("results", "albums", "data") as? [[String: Any]])
            #expect(albums.allSatisfy { $0["type"] as? String == "albums" && $0["relationships"] == nil })
            #expect(Set(albums.map(\.id)).count == albums.count)
            #expect((found.path("results", "albums", "href") as? String)?.hasSuffix("&types=albums") == true)

            let second = try await search(artist, "types=albums&limit=2&offset=2")
            let later = try #require(second.path("results", "albums", "data") as? [[String: Any]])
            #expect(later.map(\.id) == albums.dropFirst(2).prefix(2).map(\.id))
            let next = try #require(second.path("results", "albums", "next") as? String)
            #expect(next.hasPrefix("/v1/catalog/fr/search?offset=4&term="))
            let none = try await search("nothinghasthisword", "types=albums,artists")
            #expect((none["results"] as? [String: Any])?.isEmpty == true)
            #expect(
                try await visitor.refusal("catalog/fr/search?types=songs,tracks&term=rain")
                    == CallRefusal(400, "40005", parameter: "types"))
        }
    }

    @Test("Albums and artists are found by their ids, with their related items")
    func albumsAndArtists() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let visitor = try await AppleMusicVisitor(server)
            let documents = AppleMusicDocuments(catalog: catalog, storefront: "fr")
            let ids = [Edition.deluxe, .single].map { documents.id(of: Release(artist: 9, edition: $0)) }
            let album = try #require(try await visitor.list("catalog/fr/albums/\(ids[0])").first)
            #expect(album.path("attributes", "trackCount") as? Int == 16)
            let tracks = try #require(album.path("relationships", "tracks", "data") as? [[String: Any]])
            let numbers = tracks.compactMap { $0.path("attributes", "trackNumber") as? Int }
            #expect((10...16).contains(tracks.count) && numbers == numbers.sorted())
            let artist = try #require((album.path("relationships", "artists", "data") as? [[String: Any]])?.first)
            // The artist of an album is only an id.
            #expect(artist.id == documents.id(ofArtist: 9) && artist["attributes"] == nil)
            let whole = try #require(try await visitor.list("catalog/fr/artists/\(artist.id)").first)
            #expect(whole.path("attributes", "name") as? String == catalog.name(ofArtist: 9, on: .apple))
            let albums = try #require(whole.path("relationships", "albums", "data") as? [[String: Any]])
            #expect(albums.count == 7 && albums.map(\.id).contains(ids[1]))

            let several = try await visitor.list("catalog/fr/albums?ids=\(ids.joined(separator: ",")),12")
            #expect(Set(several.map(\.id)) == Set(ids))
            #expect(try await visitor.list("catalog/fr/artists?ids=\(artist.id)").map(\.id) == [artist.id])
            // Ids belong to one kind and one storefront.
            for path in ["fr/artists/\(ids[0])", "us/albums/\(ids[0])", "fr/songs/\(ids[0])"] {
                #expect(try await visitor.refusal("catalog/" + path) == CallRefusal(404, "40400"), "\(path)")
            }
        }
    }

    @Test("Relations are complete when requested, and their further pages are separate lists")
    func relationsOfItems() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 40, "playlists": 3, "entries": 120}"#)
            let documents = AppleMusicDocuments(catalog: catalog, storefront: "fr")
            let (album, artist) = (documents.id(of: Release(artist: 9, edition: .deluxe)), documents.id(ofArtist: 9))
            let whole = try await visitor.list("catalog/fr/albums/\(album)?include=artists")
            let named = whole.first?.path("relationships", "artists", "data") as? [[String: Any]]
            #expect(named?.first?.path("attributes", "name") as? String == catalog.name(ofArtist: 9, on: .apple))
            let albums = try await visitor.read("catalog/fr/artists/\(artist)/albums?limit=3&offset=3")
            #expect((albums["data"] as? [[String: Any]])?.count == 3)
            #expect(albums["next"] as? String == "/v1/catalog/fr/artists/\(artist)/albums?offset=6")
            #expect(
                try await visitor.refusal("catalog/fr/albums/\(album)/tracks?offset=16") == CallRefusal(404, "40403"))

            // The first playlist is public, the third is not.
            let own = try await visitor.list("me/library/playlists")
            let shared = try #require(own.first?.path("attributes", "playParams", "globalId") as? String)
            #expect(own[2].path("attributes", "playParams", "globalId") == nil)
            let playlist = try #require(try await visitor.list("catalog/fr/playlists/\(shared)").first)
            let tracks = playlist.path("relationships", "tracks", "data") as? [[String: Any]] ?? []
            #expect(tracks.count == 100 && tracks[2]["type"] as? String == "music-videos")
            let next = "/v1/catalog/fr/playlists/\(shared)/tracks?offset=100"
            #expect(playlist.path("relationships", "tracks", "next") as? String == next)
            #expect(try await visitor.list(String(next.dropFirst("/v1/".count))).isEmpty == false)
            #expect(try await visitor.refusal("catalog/fr/playlists/pl.u-none") == CallRefusal(404, "40400"))
        }
    }

    @Test("The developer token, the user token and the catalog have refusals of their own")
    func refusedTokens() async throws {
        try await withSimulator { server in
            for (ago, life) in [(7_200, 3_600), (-600, 3_600)] {
                let bad = try await AppleMusicVisitor(server, issuedSecondsAgo: ago, lifeSeconds: life)
                for path in ["catalog/fr/songs?ids=1", "me/library/songs"] {
                    let answer = try await bad.get(path)
                    #expect(answer.status == 401 && answer.body.isEmpty, "\(ago) \(path)")
                }
            }
            var visitor = try await AppleMusicVisitor(server)
            visitor.userToken = "somebody-elses"
            #expect(try await visitor.refusal("me/library/songs") == CallRefusal(403, "40300"))
            #expect(try await visitor.get("catalog/fr/songs?ids=1234567890").status == 200)
            try await visitor.order(
                "faults", #"{"fault": "forbidden403", "times": 1, "match": {"path": "/catalog/"}}"#)
            #expect(try await visitor.refusal("catalog/fr/songs?ids=1234567890") == CallRefusal(403, "40300"))
        }
    }

    @Test(
        "A song of a search has the members of a recorded one",
        .enabled(if: RecordedPayloads.apple.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapeOfASong() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let visitor = try await AppleMusicVisitor(server)
            let page = try await visitor.read("catalog/fr/search?types=songs&limit=25&term=rain")
            let recorded = Set(Shape(try RecordedPayloads.apple.json("catalog_search_song_with_isrc.json")).leaves.keys)
            let simulated = Set(Shape(page).leaves.keys).filter {
                !$0.hasSuffix(".contentRating") && $0 != ".results.songs.next"
            }
            #expect(simulated == recorded, "\(simulated.symmetricDifference(recorded))")
        }
    }
}
