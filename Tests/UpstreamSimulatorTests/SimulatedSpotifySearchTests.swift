import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

@Suite("The simulated Spotify's search")
struct SimulatedSpotifySearchTests {
    /// Few recordings, because the first search reads all titles.
    private static let settings = #"{"count": 2000, "seed": 3}"#
    private let catalog = RecordingCatalog(seed: 3, count: 2_000)

    private func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @Test("Filters extend to the next one, and quotes keep words together")
    func searchFilters() {
        let search = SpotifySearch(#"track:"Broken Rain" artist:Nora Vale year:1999-2004 live"#)
        #expect(search.query.track == ["broken", "rain"])
        #expect(search.query.artist == ["nora", "vale"])
        #expect(search.query.years == 1_999...2_004)
        #expect(search.query.words == ["live"])
        #expect(SpotifySearch("isrc:USABC1234567").isrc == "USABC1234567")
        #expect(SpotifySearch(#""Broken Rain" Vale"#).query.words == ["broken", "rain", "vale"])
    }

    @Test("A code finds every release of the recording, even in another form")
    func codesOfRecordings() async throws {
        try await withSimulator { [catalog] server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let reader = try await SpotifyVisitor(server: server).reader()
            func code(of recording: Int) -> String? { catalog.isrc(of: Entry.all(of: recording)[0], on: .spotify) }
            let recording = try #require(
                (0..<12).first { recording in
                    guard let code = code(of: recording) else { return false }
                    return catalog.entries(withISRC: code, on: .spotify) == Entry.all(of: recording)
                })
            let code = try #require(code(of: recording))
            for text in [code, code.lowercased()] {
                let tracks = try await reader.read("search?type=track&q=isrc:\(text)").path("tracks", "items")
                let ids = (tracks as? [[String: Any]] ?? []).map(\.id)
                let truth = RecordingTruth(recording, of: catalog, storefront: "us")
                #expect(Set(truth.spotify.map(\.id)).isSubset(of: ids), "\(text)")
            }
            let none = try await reader.read("search?type=track&q=isrc:XXAAA0000000")
            #expect(none.path("tracks", "total") as? Int == 0)
        }
    }

    @Test("The code of an album finds the album")
    func codesOfAlbums() async throws {
        try await withSimulator { [catalog] server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let reader = try await SpotifyVisitor(server: server).reader()
            let id = catalog.spotifyID(.album, UInt64(Release(artist: 4, edition: .live).number))
            let upc = try #require(try await reader.read("albums/\(id)").path("external_ids", "upc") as? String)
            let found = try await reader.read("search?type=album,track&q=upc:\(upc)")
            #expect((found.path("albums", "items") as? [[String: Any]])?.map(\.id) == [id])
            #expect(found.path("tracks", "total") as? Int == 0)
            let none = try await reader.read("search?type=album&q=upc:4006381333931")
            #expect(none.path("albums", "total") as? Int == 0)
        }
    }

    @Test(
        "Tracks that are found have the members of recorded ones",
        .enabled(if: RecordedPayloads.spotify.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapeOfTracks() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let visitor = SpotifyVisitor(server: server)
            let recorded = Set(Shape(try RecordedPayloads.spotify.json("search.json")).leaves.keys)
            func found() async throws -> Set<String> {
                Set(Shape(try await visitor.reader().read("search?type=track&q=rain&limit=10")).leaves.keys)
            }
            // The recording is from an older app. The service knew the country without a parameter.
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            let missing = recorded.subtracting(try await found()).filter { !$0.hasSuffix(".is_playable") }
            #expect(missing.isEmpty, "\(missing)")
            try await visitor.order("config", #"{"mode": "dev2026"}"#)
            let extra = try await found().subtracting(recorded).filter { !$0.hasSuffix(".ean") }
            #expect(extra.isEmpty, "\(extra)")
        }
    }

    @Test(
        "Refusals have the body of recorded ones",
        .enabled(if: RecordedPayloads.spotify.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapeOfRefusals() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader()
            func recorded(_ name: String) throws -> NSDictionary? {
                try RecordedPayloads.spotify.json(name) as? NSDictionary
            }
            let unknown = try await reader.get("playlists/37i9dQZF1DX0XUsuxWHRQd")
            #expect(unknown.status == 404)
            #expect(try recorded("playlist_not_found.json") == unknown.json.map { $0 as NSDictionary })
            try await visitor.order("faults", #"{"fault": "limit429", "times": 1}"#)
            let limited = try await reader.get("search?type=track&q=rain")
            #expect(limited.status == 429)
            #expect(try recorded("rate_limit.json") == limited.json.map { $0 as NSDictionary })
        }
    }

    @Test("Words find tracks, artists and albums, with the limits of development mode")
    func searchedWords() async throws {
        try await withSimulator { [catalog] server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let reader = try await SpotifyVisitor(server: server).reader()
            let entry = Entry(recording: 1, edition: .album)
            let title = catalog.title(of: entry, on: .spotify)
            let artist = catalog.name(ofArtist: 0, on: .spotify)
            let query = encoded("track:\"\(title)\" artist:\"\(artist)\"")
            let found = try await reader.read("search?type=track,artist,album&limit=10&q=\(query)")
            let ids = (found.path("tracks", "items") as? [[String: Any]] ?? []).map(\.id)
            #expect(ids.contains(catalog.spotifyID(.track, UInt64(entry.number))), "\(artist): \(title)")
            let usual = try await reader.read("search?type=track&q=rain")
            #expect((usual.path("tracks", "items") as? [Any])?.count == 5)
            let artists = (found.path("artists", "items") as? [[String: Any]] ?? []).map(\.id)
            #expect(artists.contains(catalog.spotifyID(.artist, 0)))
            #expect((found.path("albums", "total") as? Int ?? 0) > 0)

            #expect(try await reader.get("search?type=track&q=rain&limit=10&offset=1000").status == 200)
            #expect(try await reader.refusal("search?type=track&q=rain&limit=11") == CallRefusal(400, "Invalid limit"))
            #expect(
                try await reader.refusal("search?type=track&q=rain&offset=1001") == CallRefusal(400, "Invalid offset"))
            #expect(try await reader.refusal("search?type=track") == CallRefusal(400, "No search query"))
            #expect(try await reader.refusal("search?type=song&q=rain").status == 400)
            let playlists = try await reader.read("search?type=playlist&q=rain").path("playlists", "items")
            #expect((playlists as? [Any])?.first is NSNull)
        }
    }

    @Test("Everybody's public playlists are found by the words of their names")
    func publicPlaylists() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/recordings/settings", body: Self.settings)
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("library", #"{"tracks": 200, "playlists": 12}"#)
            let reader = try await visitor.reader()
            let own = try await reader.items("me/playlists?limit=50").compactMap { $0 as? [String: Any] }
            for playlist in own where (playlist["owner"] as? [String: Any])?["id"] as? String == "demo-listener" {
                let name = try #require(playlist["name"] as? String)
                let found = try await reader.read("search?type=playlist&limit=10&q=\(encoded(name))")
                let items = found.path("playlists", "items") as? [Any] ?? []
                #expect(items.first is NSNull)
                let ids = items.compactMap { ($0 as? [String: Any])?.id }
                #expect(ids.contains(playlist.id) == (playlist["public"] as? Bool == true), "\(name)")
            }
        }
    }
}
