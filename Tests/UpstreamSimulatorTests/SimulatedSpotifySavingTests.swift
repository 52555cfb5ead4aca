import Foundation
import Testing

@testable import UpstreamSimulator

/// What people save and remove with `/me/library`, over HTTP.
@Suite("Saving at the simulated Spotify")
struct SimulatedSpotifySavingTests {
    private static let scopes =
        "user-library-read user-library-modify user-follow-read user-follow-modify playlist-read-private "
        + "playlist-modify-public"
    private let catalog = RecordingCatalog()

    private func uri(_ recording: Int) -> String {
        "spotify:track:"
            + catalog.spotifyID(.track, UInt64(catalog.usualEntry(of: recording, on: .spotify).number))
    }

    private func contains(_ reader: SpotifyVisitor.Reader, _ uris: [String]) async throws -> [Bool] {
        let answer = try await reader.get("me/library/contains?uris=" + uris.joined(separator: ","))
        try #require(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode([Bool].self, from: answer.body)
    }

    @Test("Tracks are added at the top and removed again; answers are in the order of the request")
    func savedTracks() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("library", #"{"tracks": 5, "oddities": false}"#)
            let reader = try await visitor.reader(scope: Self.scopes)
            let truth = try await server.send("GET", "/_sim/spotify/library/truth")
            let saved = try JSONDecoder().decode([LibraryTruth].self, from: truth.body).map { "spotify:track:" + $0.id }
            let missing = (0..<100).map(uri).filter { !saved.contains($0) }
            let new = [missing[0], missing[1]]
            #expect(try await contains(reader, [new[0], saved[2], new[1]]) == [false, true, false])
            for _ in 0..<2 {
                let answer = try await reader.send("PUT", "me/library?uris=\(new[0]),\(saved[2]),\(new[1])")
                #expect(answer.status == 200 && answer.body.isEmpty)
            }
            let page = try await reader.read("me/tracks")
            let listed = (page["items"] as? [[String: Any]] ?? []).compactMap { $0.path("track", "uri") as? String }
            #expect(listed == [new[1], new[0]] + saved && page["total"] as? Int == 7)
            #expect(try await reader.send("DELETE", "me/library?uris=\(saved[0]),\(new[0])").status == 200)
            #expect(try await contains(reader, [saved[0], new[0], new[1]]) == [false, false, true])
            #expect(try await reader.read("me/tracks")["total"] as? Int == 5)
        }
    }

    @Test("Albums, playlists and artists can also be saved, each with the scope of its kind")
    func otherKinds() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let plan = #"{"playlists": 1, "person": "listener-7", "oddities": false}"#
            let other = try await visitor.library("library", plan)
            let playlist = "spotify:playlist:" + other.playlists[0].id
            let release = Release(artist: 1, edition: .best)
            let album = "spotify:album:" + catalog.spotifyID(.album, UInt64(release.number))
            let artist = "spotify:artist:" + catalog.spotifyID(.artist, 1)
            let all = [playlist, album, artist]
            let reader = try await visitor.reader(scope: Self.scopes)
            #expect(try await reader.send("PUT", "me/library?uris=" + all.joined(separator: ",")).status == 200)
            #expect(try await contains(reader, all) == [true, true, true])
            #expect(try await reader.items("me/albums").count == 1)
            // A followed playlist is returned as its owner has it now.
            let rename = #"{"person": "listener-7", "playlists": [{"index": 0, "edit": "rename", "name": "Another"}]}"#
            try await visitor.order("library/changes", rename)
            let followed = try #require(try await reader.items("me/playlists").first as? [String: Any])
            #expect(followed.name == "Another" && followed.path("owner", "id") as? String == "listener-7")
            #expect(try await reader.refusal("playlists/\(followed.id)/items") == CallRefusal(403, "Forbidden"))
            #expect(try await reader.send("DELETE", "me/library?uris=" + all.joined(separator: ",")).status == 200)
            #expect(try await contains(reader, all) == [false, false, false])

            let narrow = try await visitor.reader(scope: "user-library-read user-library-modify")
            #expect(try await narrow.send("PUT", "me/library?uris=\(album)").status == 200)
            for uri in [artist, playlist] {
                let answer = try await narrow.send("PUT", "me/library?uris=\(album),\(uri)")
                #expect(answer.status == 403 && answer.text.contains("Insufficient client scope"), "\(uri)")
                #expect(try await narrow.refusal("me/library/contains?uris=\(uri)").status == 403, "\(uri)")
            }
        }
    }

    @Test("Only URIs in the query count, at most forty, and if one is wrong nothing changes")
    func refusedRequests() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader(scope: Self.scopes)
            let known = (0..<41).map(uri)
            let id = known[0].dropFirst("spotify:track:".count)
            let body = #"{"ids": ["\#(id)"], "uris": ["\#(known[0])"]}"#
            #expect(try await reader.send("PUT", "me/library", body: body).status == 400)
            for path in ["me/tracks?ids=\(id)", "me/albums?ids=\(id)"] {
                #expect(try await reader.send("PUT", path).status == 403, "\(path)")
            }
            #expect(try await reader.refusal("me/tracks/contains?ids=\(id)") == CallRefusal(403, "Forbidden"))
            for method in ["PUT", "DELETE"] {
                let tooMany = try await reader.send(method, "me/library?uris=" + known.joined(separator: ","))
                #expect(tooMany.status == 400, "\(method)")
            }
            for wrong in ["spotify:track:short", "spotify:local:a:b:c:1", "37i9dQZF1DX0XUsuxWHRQd", String(id)] {
                #expect(try await reader.send("PUT", "me/library?uris=\(known[1]),\(wrong)").status == 400, "\(wrong)")
            }
            let unknown = "spotify:track:37i9dQZF1DX0XUsuxWHRQd"
            let refused = try await reader.send("PUT", "me/library?uris=\(known[1]),\(unknown)")
            #expect(refused.status == 400 && refused.text.contains("non-existing"))
            #expect(try await reader.read("me/tracks")["total"] as? Int == 0)
            #expect(try await contains(reader, [unknown]) == [false])
            let forty = known.prefix(40).joined(separator: ",")
            #expect(try await reader.send("PUT", "me/library?uris=" + forty).status == 200)
            #expect(try await reader.read("me/tracks")["total"] as? Int == 40)
        }
    }
}
