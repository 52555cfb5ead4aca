import Foundation
import Testing

@testable import UpstreamSimulator

/// Playlists that an app makes and extends, over HTTP.
@Suite("Making playlists at the simulated Apple Music")
struct SimulatedAppleMusicPlaylistTests {
    private func references(_ songs: [(id: String, type: String)]) -> String {
        let list = songs.map { #"{"id": "\#($0.id)", "type": "\#($0.type)"}"# }
        return #"{"data": [\#(list.joined(separator: ","))]}"#
    }

    /// Makes a playlist; returns it.
    private func makePlaylist(_ visitor: AppleMusicVisitor, tracks: String = #"{"data": []}"#) async throws
        -> [String: Any]
    {
        let body = """
            {"attributes": {"name": "New & old", "description": "Both"}, "relationships": {"tracks": \(tracks)}}
            """
        let answer = try await visitor.send("POST", "me/library/playlists", body: body)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require((answer.json?["data"] as? [[String: Any]])?.first)
    }

    @Test("A playlist is made with songs of the library and of the catalog, and more are added at its end")
    func createdPlaylist() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            let plan = #"{"tracks": 40, "uploads": 4, "playlists": 1, "entries": 5, "oddities": false}"#
            try await visitor.order("library", plan)
            let songs = try await visitor.list("me/library/songs?limit=100&include=catalog")
            let uploads = songs.filter { $0.path("attributes", "playParams", "reporting") as? Bool == false }
            let upload = try #require(uploads.first)
            let relations = songs.compactMap { $0.path("relationships", "catalog", "data") as? [[String: Any]] }
            let sold = try #require(relations.first { !$0.isEmpty }?.first)
            let tracks = [(id: songs[0].id, type: "library-songs"), (id: sold.id, type: "songs")]
            let made = try await makePlaylist(visitor, tracks: references(tracks))
            #expect(made.id.hasPrefix("p.") && made.path("attributes", "name") as? String == "New & old")
            #expect(made.path("attributes", "description", "standard") as? String == "Both")
            #expect(made.path("attributes", "isPublic") as? Bool == false)
            let path = "me/library/playlists/\(made.id)/tracks"
            let more = [(id: upload.id, type: "library-songs"), (id: songs[0].id, type: "library-songs")]
            let added = try await visitor.send("POST", path, body: references(more))
            #expect(added.status == 204 && added.body.isEmpty)
            // What is already there is added again.
            let listed = try await visitor.list(path)
            #expect(listed.map(\.id) == [songs[0].id, sold.id, upload.id, songs[0].id])
            #expect(listed[1]["type"] as? String == "songs")
            #expect(try await visitor.list("me/library/playlists").count == 2)
            #expect(try await visitor.list("me/library/playlists").first?.id == made.id)

            let empty = try await makePlaylist(visitor)
            #expect(try await visitor.refusal("me/library/playlists/\(empty.id)/tracks") == CallRefusal(404, "40403"))
        }
    }

    @Test("Songs of the catalog are saved once, and appear with a delay")
    func savedSongs() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 20, "oddities": false}"#)
            let songs = try await visitor.list("me/library/songs?limit=100&include=catalog")
            let known = try #require(
                songs.lazy.compactMap { $0.path("relationships", "catalog", "data") as? [[String: Any]] }
                    .first { !$0.isEmpty }?.first)
            let found = try await visitor.send(
                "GET", "catalog/fr/search?types=songs&limit=25&term=the")
            let hits = found.json?.path("results", "songs", "data") as? [[String: Any]] ?? []
            let ids = Set(
                songs.compactMap { ($0.path("relationships", "catalog", "data") as? [[String: Any]])?.first?.id })
            let new = try #require(hits.first { !ids.contains($0.id) })
            try await visitor.order("config", #"{"writesShowAfterCalls": 2}"#)
            // The request took effect, although its answer says otherwise.
            try await visitor.order("faults", #"{"fault": "done500", "times": 1, "match": {"endpoint": "POST"}}"#)
            let path = "me/library?ids%5Bsongs%5D=\(known.id),\(new.id)"
            #expect(try await visitor.send("POST", path).status == 500)
            #expect(try await visitor.send("POST", path).status == 202)
            #expect(try await visitor.list("me/library/songs?limit=100").count == songs.count)
            #expect(try await visitor.list("me/library/songs?limit=100").count == songs.count)
            #expect(try await visitor.list("me/library/songs?limit=100").count == songs.count + 1)
            #expect(try await visitor.send("POST", "me/library").status == 400)
            #expect(try await visitor.send("POST", "me/library?ids%5Bsongs%5D=1").status == 404)
        }
    }

    @Test("Additions appear with a delay, the playlist before its further tracks")
    func delayedAdditions() async throws {
        try await withSimulator { server in
            let visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 3, "uploads": 0, "hidden": 0}"#)
            let song = try #require(try await visitor.list("me/library/songs").first)
            try await visitor.order("config", #"{"writesShowAfterCalls": 2}"#)
            let made = try await makePlaylist(visitor)
            #expect(try await visitor.list("me/library/playlists").isEmpty)
            let path = "me/library/playlists/\(made.id)/tracks"
            let body = references([(id: song.id, type: "library-songs")])
            #expect(try await visitor.send("POST", path, body: body).status == 204)
            #expect(try await visitor.refusal(path) == CallRefusal(404, "40400"))
            #expect(try await visitor.refusal(path) == CallRefusal(404, "40403"))
            #expect(try await visitor.list(path).map(\.id) == [song.id])
            let negative = try await server.send(
                "POST", "/_sim/apple-music/config", body: #"{"writesShowAfterCalls": -1}"#)
            #expect(negative.status == 400)
        }
    }

    @Test("Nothing is removed or moved, and wrong calls change nothing")
    func refusedChanges() async throws {
        try await withSimulator { server in
            var visitor = try await AppleMusicVisitor(server)
            try await visitor.order("library", #"{"tracks": 3, "uploads": 0, "playlists": 1, "entries": 2}"#)
            let playlist = try #require(try await visitor.list("me/library/playlists").first)
            let path = "me/library/playlists/\(playlist.id)/tracks"
            let unknown = references([(id: "i.unknown", type: "library-songs")])
            let song = try #require(try await visitor.list("me/library/songs").first)
            let known = references([(id: song.id, type: "library-songs")])
            for (method, path, body, status) in [
                ("POST", path, unknown, 404), ("POST", path, references([(id: "1", type: "songs")]), 404),
                ("POST", path, references([(id: "1", type: "albums")]), 400), ("POST", path, references([]), 400),
                ("POST", path, "no JSON", 400), ("POST", "me/library/playlists", "{}", 400),
                ("POST", "me/library/playlists/p.unknown/tracks", known, 404), ("POST", "me/library/songs", known, 404),
                ("DELETE", path, known, 404), ("PUT", path, known, 404),
            ] {
                let answer = try await visitor.send(method, path, body: body)
                #expect(answer.status == status, "\(method) \(path) \(body)")
            }
            #expect(try await visitor.list(path).count == 2)
            #expect(try await visitor.list("me/library/playlists").count == 1)
            visitor.userToken = nil
            #expect(try await visitor.send("POST", path, body: known).status == 403)
        }
    }
}
