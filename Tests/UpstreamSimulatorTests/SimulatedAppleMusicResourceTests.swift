import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// Single items of a library, its artists, and recent plays, over HTTP.
@Suite("The simulated Apple Music's single resources")
struct SimulatedAppleMusicResourceTests {
    private func catalog(_ resource: [String: Any]) -> [[String: Any]]? {
        resource.path("relationships", "catalog", "data") as? [[String: Any]]
    }

    @Test("A song, an album and an artist are found by their ids, with and without the catalog")
    func singleResources() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 40, "albums": 3, "oddities": false}"#)
            for list in ["songs", "albums", "artists"] {
                // The storefront does not sell everything.
                let page = try await visitor.list("me/library/\(list)?include=catalog")
                let listed = try #require(page.first { catalog($0)?.isEmpty == false })
                let found = try await visitor.list("me/library/\(list)/\(listed.id)")
                #expect(found.map(\.id) == [listed.id] && found[0]["type"] as? String == "library-" + list)
                #expect(found[0].path("attributes", "name") as? String == listed.path("attributes", "name") as? String)
                #expect(found[0]["relationships"] == nil, "\(list)")
                let related = try await visitor.list("me/library/\(list)/\(listed.id)?include=catalog")
                let counterpart = try #require(catalog(related[0])?.first)
                #expect(counterpart["type"] as? String == list && counterpart.id == catalog(listed)?.first?.id)
                let alone = try await visitor.list("me/library/\(list)/\(listed.id)/catalog")
                #expect(alone.map(\.id) == [counterpart.id])
                #expect(try await visitor.list("catalog/fr/\(list)/\(counterpart.id)").map(\.id) == [counterpart.id])
                let unknown = try await visitor.refusal("me/library/\(list)/\(listed.id.prefix(2))0000000")
                #expect(unknown == CallRefusal(404, "40400"))
                #expect(
                    try await visitor.refusal("me/library/\(list)/\(listed.id)/nothing") == CallRefusal(404, "40400"))
            }
            let counters = try await server.send("GET", "/_sim/apple-music/counters").json
            #expect(counters?.path("GET /apple-music/v1/me/library/songs/{id}", "arrivals") as? Int == 3)
            #expect(counters?.path("GET /apple-music/v1/me/library/songs/{id}/catalog", "arrivals") as? Int == 1)
        }
    }

    @Test("An upload has no counterpart, and songs that only a playlist has are also found")
    func withoutCounterpart() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 30, "uploads": 30, "playlists": 1, "entries": 10}"#)
            let upload = try #require(try await visitor.list("me/library/songs").first)
            #expect(try await visitor.list("me/library/songs/\(upload.id)").count == 1)
            #expect(try await visitor.refusal("me/library/songs/\(upload.id)/catalog") == CallRefusal(404, "40403"))
            let playlist = try #require(try await visitor.list("me/library/playlists").first)
            let entries = try await visitor.list("me/library/playlists/\(playlist.id)/tracks")
            for entry in entries where entry.id.hasPrefix("i.") {
                let kind = entry["type"] as? String == "library-music-videos" ? "music-videos" : "songs"
                #expect(try await visitor.list("me/library/\(kind)/\(entry.id)").map(\.id) == [entry.id], "\(kind)")
            }
        }
    }

    @Test("Several songs are read by their ids, and unknown ones are left out")
    func severalSongs() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 20}"#)
            let ids = try await visitor.list("me/library/songs").map(\.id)
            let asked = [ids[7], "i.unknown", ids[2]].joined(separator: ",")
            #expect(try await visitor.list("me/library/songs?ids=\(asked)").map(\.id) == [ids[2], ids[7]])
            let refusal = try await visitor.refusal("me/library/songs?ids=")
            #expect(refusal == CallRefusal(400, "40005", parameter: "ids"))
        }
    }

    @Test("Artists are the artists of the songs and albums, by name")
    func artistsOfALibrary() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 60, "albums": 10, "hidden": 0}"#)
            let first = try await visitor.read("me/library/artists?include=catalog")
            let artists = try #require(first["data"] as? [[String: Any]])
            #expect(first["next"] as? String == "/v1/me/library/artists?offset=25" && artists.count == 25)
            let names = artists.compactMap { $0.path("attributes", "name") as? String }
            #expect(names.count == 25 && names.map { $0.lowercased() } == names.map { $0.lowercased() }.sorted())
            #expect(artists.allSatisfy { $0.id.hasPrefix("r.") && $0.id.count == 9 })
            let total = try #require(first.path("meta", "total") as? Int)
            #expect((26...70).contains(total))
            let albums = try await visitor.list("me/library/albums")
            let all = try await visitor.list("me/library/artists?limit=100").compactMap {
                $0.path("attributes", "name") as? String
            }
            #expect(all.count == total)
            for album in albums { #expect(all.contains(album.path("attributes", "artistName") as? String ?? "")) }
            if RecordedPayloads.apple.areAvailable {
                let recorded = Shape(try RecordedPayloads.apple.json("library_artists_page1.json")).leaves.keys
                let simulated = Set(Shape(first).leaves.keys)
                #expect(simulated.isSuperset(of: recorded), "\(Set(recorded).subtracting(simulated))")
            }
        }
    }

    @Test("The next page's address can name another list, as in Apple's example")
    func misnamedNext() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("config", #"{"misnamedNext": true}"#)
            try await visitor.order("library", #"{"tracks": 30, "albums": 30}"#)
            let songs = try await visitor.read("me/library/songs")
            #expect(songs["next"] as? String == "/v1/me/library/albums?offset=25")
            #expect(try await visitor.read("me/library/albums")["next"] as? String == "/v1/me/library/songs?offset=25")
            try await visitor.order("config", #"{"misnamedNext": false}"#)
            #expect(try await visitor.read("me/library/songs")["next"] as? String == "/v1/me/library/songs?offset=25")
        }
    }

    @Test("The list of recent plays is short, and has no counts")
    func recentPlays() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            for path in ["me/recent/played", "me/recent/played/tracks", "me/history/heavy-rotation"] {
                #expect(try await visitor.list(path).isEmpty)
            }
            try await visitor.order("library", #"{"tracks": 200, "uploads": 50}"#)
            var next: String? = "/v1/me/recent/played/tracks?offset=0"
            var counts: [Int] = []
            var types: Set<String> = []
            while let path = next {
                let page = try await visitor.read("\(path.dropFirst("/v1/".count))&limit=30")
                let songs = try #require(page["data"] as? [[String: Any]])
                counts.append(songs.count)
                types.formUnion(songs.compactMap { $0["type"] as? String })
                #expect(page["meta"] == nil)
                next = page["next"] as? String
            }
            #expect(counts == [30, 20] && types == ["songs", "library-songs"])
            let albums = try await visitor.list("me/recent/played")
            #expect(albums.count == 10 && Set(albums.map(\.id)).count == 10)
            #expect(albums.allSatisfy { $0["type"] as? String == "albums" })
            #expect(try await visitor.list("me/history/heavy-rotation").count == 10)
            for (path, most) in [("me/recent/played", 10), ("me/recent/played/tracks", 30)] {
                let refusal = try await visitor.refusal("\(path)?limit=\(most + 1)")
                #expect(refusal == CallRefusal(400, "40005", parameter: "limit"), "\(path)")
            }

            let before = try await visitor.list("me/recent/played/tracks?limit=30").map(\.id)
            try await visitor.order("library/changes", #"{"play": 2}"#)
            let after = try await visitor.list("me/recent/played/tracks?limit=30").map(\.id)
            #expect(Array(after.dropFirst(2)) == Array(before.prefix(28)))
        }
    }
}
