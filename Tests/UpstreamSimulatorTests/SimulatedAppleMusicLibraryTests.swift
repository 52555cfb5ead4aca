import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// Songs, albums and playlists of a person, with both tokens, over HTTP.
@Suite("The simulated Apple Music's libraries")
struct SimulatedAppleMusicLibraryTests {
    private func attributes(_ song: [String: Any]) -> [String: Any] { song["attributes"] as? [String: Any] ?? [:] }

    private func catalogSongs(_ song: [String: Any]) -> [[String: Any]]? {
        song.path("relationships", "catalog", "data") as? [[String: Any]]
    }

    @Test("The next page's address has only an offset, and a page in the middle is short")
    func pagesOfALibrary() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 320}"#)
            var counts: [Int] = []
            var names: [String] = []
            var ids: Set<String> = []
            var next: String? = "/v1/me/library/songs?offset=0"
            while let path = next {
                let address = path.dropFirst("/v1/".count)
                let page = try await visitor.read("\(address)&limit=100&include=catalog")
                let songs = try #require(page["data"] as? [[String: Any]])
                counts.append(songs.count)
                ids.formUnion(songs.map(\.id))
                names += songs.compactMap { attributes($0)["name"] as? String }
                #expect(page.path("meta", "total") as? Int == 322)
                next = page["next"] as? String
                if counts.count == 1 { #expect(next == "/v1/me/library/songs?offset=100") }
            }
            #expect(counts == [100, 98, 100, 22] && ids.count == 320)
            #expect(names.map { $0.lowercased() } == names.map { $0.lowercased() }.sorted())
            #expect(ids.allSatisfy { $0.hasPrefix("i.") && $0.count == 16 })
            // A client that follows it verbatim gets the default limit and no codes.
            let verbatim = try await visitor.list("me/library/songs?offset=100")
            #expect(verbatim.count == 25 && verbatim.allSatisfy { $0["relationships"] == nil })
            for (parameter, value) in [("limit", "101"), ("limit", "0"), ("offset", "-1")] {
                let refusal = try await visitor.refusal("me/library/songs?\(parameter)=\(value)")
                #expect(refusal == CallRefusal(400, "40005", parameter: parameter), "\(parameter)=\(value)")
            }
            try await visitor.order("config", #"{"totals": false}"#)
            #expect(try await visitor.read("me/library/songs")["meta"] == nil)
        }
    }

    @Test("Library songs have no code, attributes are missing, and the catalog's relation can be empty")
    func missingDetailsOfSongs() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 1000, "hidden": 0}"#)
            var songs: [[String: Any]] = []
            for offset in stride(from: 0, to: 1_000, by: 100) {
                songs += try await visitor.list("me/library/songs?limit=100&include=catalog&offset=\(offset)")
            }
            #expect(songs.count == 1_000)
            #expect(songs.allSatisfy { attributes($0)["isrc"] == nil })
            for name in [
                "albumName", "trackNumber", "discNumber", "durationInMillis", "genreNames", "releaseDate", "hasLyrics",
                "artwork", "playParams",
            ] {
                let without = songs.filter { attributes($0)[name] == nil }.count
                #expect(without > 0 && without < 100, "\(name): \(without)")
            }
            let uploads = songs.filter {
                attributes($0)["playParams"] != nil && attributes($0).path("playParams", "catalogId") == nil
            }
            #expect((15...25).contains(uploads.count))
            #expect(uploads.allSatisfy { catalogSongs($0)?.isEmpty == true })
            let unrelated = songs.filter {
                catalogSongs($0)?.isEmpty == true && attributes($0).path("playParams", "catalogId") != nil
            }
            #expect(unrelated.count > 5)
            // Some of them are in the storefront all the same.
            let ids = unrelated.compactMap { attributes($0).path("playParams", "catalogId") as? String }
            let found = try await visitor.list("catalog/fr/songs?ids=\(ids.joined(separator: ","))")
            #expect(!found.isEmpty && found.count < ids.count)
            #expect(songs.contains { attributes($0).path("artwork", "width") is NSNull })
            let codes = songs.compactMap { song in
                catalogSongs(song)?.first.flatMap { attributes($0)["isrc"] as? String }
            }
            #expect(codes.count > 850)
        }
    }

    @Test("Playlists mix songs, videos and songs of the catalog; an empty one has no related resources")
    func mixedPlaylists() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            let plan = #"{"tracks": 50, "playlists": 4, "entries": 130, "albums": 30}"#
            let answer = try await visitor.order("library", plan)
            let library = try JSONDecoder().decode(LibrarySummary.self, from: answer.body)
            #expect(library.playlists.count == 4 && library.playlists[0].snapshotId == nil)
            let playlists = try await visitor.list("me/library/playlists")
            #expect(playlists.map(\.id) == library.playlists.map(\.id))
            #expect(attributes(playlists[1])["artwork"] == nil && attributes(playlists[1])["description"] == nil)
            #expect(attributes(playlists[0]).path("description", "standard") as? String == "")
            #expect(attributes(playlists[0])["lastModifiedDate"] is String)

            let path = "me/library/playlists/\(playlists[0].id)"
            let tracks = try await visitor.list(path + "/tracks?limit=100&include=catalog")
            let types = tracks.compactMap { $0["type"] as? String }
            #expect(types[2] == "library-music-videos" && types[4] == "songs" && types[0] == "library-songs")
            #expect(tracks[9].id == tracks[0].id)
            #expect(tracks[4].id.allSatisfy { $0.isNumber })
            #expect(try await visitor.list(path + "/tracks?offset=100").count == 25)
            let nothing = try await visitor.refusal("me/library/playlists/\(playlists[1].id)/tracks")
            #expect(nothing == CallRefusal(404, "40403"))
            #expect(try await visitor.refusal("me/library/playlists/p.unknown/tracks") == CallRefusal(404, "40400"))
            // Included tracks are the first hundred.
            let whole = try await visitor.list(path + "?include=tracks")
            let included = whole[0].path("relationships", "tracks") as? [String: Any]
            #expect((included?["data"] as? [Any])?.count == 100)
            #expect(included?.path("meta", "total") as? Int == 130)

            #expect(try await visitor.list("me/library/albums").count == 25)
            let albums = try await visitor.list("me/library/albums?offset=25")
            #expect(albums.count == 5 && albums.allSatisfy { $0.id.hasPrefix("l.") })
        }
    }

    @Test("Tokens share a library if they belong to one account, and others have their own")
    func librariesOfAccounts() async throws {
        try await withSimulator { server in
            var visitor = try await AppleMusicVisitor(server)
            try await visitor.order(
                "config", #"{"userTokens": {"a": "fr", "b": "us", "c": "fr"}, "accounts": {"a": "x", "b": "x"}}"#)
            try await visitor.order("library", #"{"tracks": 10, "person": "x", "hidden": 0}"#)
            try await visitor.order("library", #"{"tracks": 10, "person": "c", "hidden": 0}"#)
            func songs(_ token: String) async throws -> [[String: Any]] {
                visitor.userToken = token
                return try await visitor.list("me/library/songs")
            }
            let first = try await songs("a")
            let second = try await songs("b")
            let third = try await songs("c")
            #expect(first.map(\.id) == second.map(\.id))
            #expect(Set(first.map(\.id)).isDisjoint(with: third.map(\.id)))
            // Another storefront has different ids in its catalog.
            let ids = [first, second].map { list in
                list.compactMap { attributes($0).path("playParams", "catalogId") as? String }
            }
            #expect(!ids[0].isEmpty && Set(ids[0]).isDisjoint(with: ids[1]))
        }
    }

    @Test("An upload, a new song and a new title change the list at their positions in the order")
    func changesOfALibrary() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 60, "hidden": 0, "oddities": false, "uploads": 6}"#)
            let before = try await visitor.list("me/library/songs?limit=100")
            #expect(before.filter { attributes($0).path("playParams", "catalogId") == nil }.count == 6)
            try await visitor.order("library/changes", #"{"replace": 1}"#)
            let swapped = try await visitor.list("me/library/songs?limit=100")
            #expect(swapped.count == 60 && Set(swapped.map(\.id)).subtracting(before.map(\.id)).count == 1)
            let id = swapped[59].id
            try await visitor.order("library/changes", #"{"rename": {"id": "\#(id)", "title": "!"}}"#)
            let renamed = try await visitor.list("me/library/songs?limit=100")
            #expect(renamed[0].id == id && attributes(renamed[0])["name"] as? String == "!")
            let counters = try await server.send("GET", "/_sim/apple-music/counters").json
            #expect(counters?.path("GET /apple-music/v1/me/library/songs", "arrivals") as? Int == 3)
        }
    }

    @Test(
        "Library songs have the attributes of Apple's example",
        .enabled(if: RecordedPayloads.apple.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapeOfSongs() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 60, "oddities": false}"#)
            let page = try await visitor.read("me/library/songs")
            let recorded = Set(Shape(try RecordedPayloads.apple.json("library_songs_doc_example.json")).leaves.keys)
            let simulated = Set(Shape(page).leaves.keys).filter { !$0.hasSuffix(".contentRating") }
            #expect(simulated == recorded, "\(simulated.symmetricDifference(recorded))")
        }
    }
}
