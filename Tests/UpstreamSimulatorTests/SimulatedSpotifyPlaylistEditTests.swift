import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// Playlists that an app makes and changes.
@Suite("Changing playlists at the simulated Spotify")
struct SimulatedSpotifyPlaylistEditTests {
    private static let scopes =
        "playlist-read-private playlist-read-collaborative playlist-modify-public playlist-modify-private"
    private let catalog = RecordingCatalog()

    private func uri(_ recording: Int) -> String {
        "spotify:track:"
            + catalog.spotifyID(.track, UInt64(catalog.usualEntry(of: recording, on: .spotify).number))
    }

    private func body(_ uris: [String], _ rest: String = "") -> String {
        let list = uris.map { #""\#($0)""# }.joined(separator: ",")
        return #"{"uris": [\#(list)]\#(rest)}"#
    }

    /// Makes a playlist; returns its id.
    private func makePlaylist(_ reader: SpotifyVisitor.Reader, _ body: String) async throws -> String {
        let answer = try await reader.send("POST", "me/playlists", body: body)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer.json).id
    }

    private func uris(_ reader: SpotifyVisitor.Reader, _ id: String) async throws -> [String] {
        try await reader.items("playlists/\(id)/items?limit=50").map {
            ($0 as? [String: Any])?.path("item", "uri") as? String ?? ""
        }
    }

    @Test(
        "Entries move before another one, and a position outside of the list is refused",
        arguments: [
            (0, 1, 3, [1, 2, 0, 3, 4]), (3, 2, 0, [3, 4, 0, 1, 2]), (1, 2, 5, [0, 3, 4, 1, 2]),
            (1, 2, 2, [0, 1, 2, 3, 4]), (1, 2, 3, [0, 1, 2, 3, 4]), (0, 5, 5, [0, 1, 2, 3, 4]), (4, 2, 0, nil),
            (0, 0, 1, nil), (0, 1, 6, nil), (-1, 1, 0, nil),
        ] as [(Int, Int, Int, [Int]?)])
    func movedEntries(start: Int, length: Int, before: Int, expected: [Int]?) {
        var playlist = SavedPlaylist(
            id: "p", name: "", owner: "", items: (0..<5).map { .init(content: .episode($0), addedAt: 0) }, changedAt: 0)
        let edit = SpotifyPlaylistEdit.reorder(start: start, length: length, before: before)
        let isDone = (try? edit.apply(to: &playlist, addedAt: 1)) != nil
        #expect(isDone == (expected != nil))
        let found = (expected ?? [0, 1, 2, 3, 4]).map { SavedPlaylist.Content.episode($0) }
        #expect(playlist.items.map(\.content) == found)
    }

    @Test("A playlist is public unless its maker says otherwise, and needs the scope for that")
    func createdPlaylist() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader(scope: Self.scopes)
            let open = try await makePlaylist(reader, #"{"name": "One"}"#)
            let closed = try await makePlaylist(
                reader, #"{"name": "Two", "public": false, "description": "Rock & <roll>", "collaborative": true}"#)
            let first = try await reader.read("playlists/\(open)")
            #expect(first["public"] as? Bool == true && first["description"] is NSNull)
            let second = try await reader.read("playlists/\(closed)")
            #expect(second["public"] as? Bool == false && second["collaborative"] as? Bool == true)
            #expect(second["description"] as? String == "Rock &amp; &lt;roll&gt;")
            let listed = try await reader.items("me/playlists").compactMap { ($0 as? [String: Any])?.id }
            #expect(listed == [closed, open])
            for (body, status) in [
                ("{}", 400), (#"{"name": ""}"#, 400), ("name=x", 400), (#"{"name": "x", "collaborative": true}"#, 400),
            ] { #expect(try await reader.send("POST", "me/playlists", body: body).status == status, "\(body)") }
            let user = try await reader.send("POST", "users/demo-listener/playlists", body: #"{"name": "x"}"#)
            #expect(user.status == 403)
            let narrow = try await visitor.reader(scope: "playlist-read-private playlist-modify-private")
            #expect(try await narrow.send("POST", "me/playlists", body: #"{"name": "x"}"#).status == 403)
            _ = try await makePlaylist(narrow, #"{"name": "x", "public": false}"#)
        }
    }

    @Test("Items are added in order, at most a hundred, at a position, and again if they are already there")
    func addedItems() async throws {
        try await withSimulator { server in
            let reader = try await SpotifyVisitor(server: server).reader(scope: Self.scopes)
            let id = try await makePlaylist(reader, #"{"name": "One", "public": false}"#)
            let path = "playlists/\(id)/items"
            let all = (0..<101).map(uri)
            #expect(try await reader.send("POST", path, body: body(all)).status == 400)
            let first = try await reader.send("POST", path, body: body(Array(all.prefix(3))))
            let snapshot = try #require(first.json?["snapshot_id"] as? String)
            #expect(first.status == 201)
            // The query takes precedence over the body.
            let second = try await reader.send("POST", path + "?uris=\(all[0])&position=1", body: body([all[9]]))
            #expect(second.status == 201 && second.json?["snapshot_id"] as? String != snapshot)
            #expect(try await uris(reader, id) == [all[0], all[0], all[1], all[2]])
            #expect(try await reader.send("POST", path, body: body([all[4]], #", "position": 0"#)).status == 201)
            #expect(try await uris(reader, id).first == all[4])
            for wrong in [
                body([]), body([all[0]], #", "position": 6"#), body(["spotify:local:a:b:c:1"]), "no JSON", "",
                body(["spotify:track:37i9dQZF1DX0XUsuxWHRQd"]),
            ] { #expect(try await reader.send("POST", path, body: wrong).status == 400, "\(wrong)") }
            #expect(try await uris(reader, id).count == 5)
            #expect(try await reader.send("POST", path, body: body(Array(all.prefix(100)))).status == 201)
            #expect(try await reader.read(path)["total"] as? Int == 105)
        }
    }

    @Test("Items are replaced, moved and removed; a state that the playlist never had is refused")
    func changedItems() async throws {
        try await withSimulator { server in
            let reader = try await SpotifyVisitor(server: server).reader(scope: Self.scopes)
            let id = try await makePlaylist(reader, #"{"name": "One"}"#)
            let path = "playlists/\(id)/items"
            let all = (0..<4).map(uri)
            let replaced = try await reader.send("PUT", path, body: body([all[0], all[1], all[0], all[2]]))
            let snapshot = try #require(replaced.json?["snapshot_id"] as? String)
            let current = try await reader.read("playlists/\(id)")
            #expect(replaced.status == 200 && current["snapshot_id"] as? String == snapshot)

            let move = #"{"range_start": 3, "insert_before": 0, "snapshot_id": "\#(snapshot)"}"#
            #expect(try await reader.send("PUT", path, body: move).status == 200)
            #expect(try await uris(reader, id) == [all[2], all[0], all[1], all[0]])
            let unknown = #"{"range_start": 0, "insert_before": 2, "snapshot_id": "AAAA"}"#
            #expect(try await reader.send("PUT", path, body: unknown).status == 400)
            #expect(try await reader.send("PUT", path, body: "{}").status == 400)

            let gone = #"{"items": [{"uri": "\#(all[0])"}], "snapshot_id": "\#(snapshot)"}"#
            let removed = try await reader.send("DELETE", path, body: gone)
            #expect(removed.status == 200 && removed.json?["snapshot_id"] as? String != snapshot)
            #expect(try await uris(reader, id) == [all[2], all[1]])
            let many = (0..<101).map { #"{"uri": "\#(uri($0))"}"# }.joined(separator: ",")
            #expect(try await reader.send("DELETE", path, body: #"{"items": [\#(many)]}"#).status == 400)
            #expect(try await reader.send("PUT", path, body: body([])).status == 200)
            #expect(try await uris(reader, id).isEmpty)
        }
    }

    @Test("Only a playlist's people can change it, only its owner its details, and the old path is for older apps")
    func rightsToChange() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let playlists = try await visitor.library("library", #"{"playlists": 5, "entries": 2}"#).playlists
            let reader = try await visitor.reader(scope: Self.scopes)
            func add(_ id: String, _ list: String = "items") async throws -> Int {
                try await reader.send("POST", "playlists/\(id)/\(list)", body: body([uri(7)])).status
            }
            func rename(_ id: String) async throws -> RawResponse {
                try await reader.send("PUT", "playlists/\(id)", body: #"{"name": "New", "public": false}"#)
            }
            // These are the person's own playlist, one that the person follows, and one on which the person
            // collaborates.
            #expect(try await add(playlists[0].id) == 201)
            #expect(try await add(playlists[2].id) == 403)
            #expect(try await add(playlists[3].id) == 201)
            #expect(try await rename(playlists[2].id).status == 403)
            #expect(try await rename(playlists[3].id).status == 403)
            let answer = try await rename(playlists[0].id)
            #expect(answer.status == 200 && answer.body.isEmpty)
            let renamed = try await reader.read("playlists/\(playlists[0].id)")
            #expect(renamed.name == "New" && renamed["public"] as? Bool == false)
            #expect(try await add("37i9dQZF1DX0XUsuxWHRQd") == 404)
            #expect(try await add("short") == 400)

            #expect(try await add(playlists[0].id, "tracks") == 403)
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            #expect(try await add(playlists[0].id, "tracks") == 201)
            let old = #"{"tracks": [{"uri": "\#(uri(7))"}]}"#
            #expect(try await reader.send("DELETE", "playlists/\(playlists[0].id)/tracks", body: old).status == 200)
        }
    }

    @Test("A write that was carried out can lose its answer")
    func lostAnswer() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader(scope: Self.scopes)
            let id = try await makePlaylist(reader, #"{"name": "One"}"#)
            try await visitor.order("faults", #"{"fault": "loseAnswer", "times": 1, "match": {"endpoint": "POST"}}"#)
            #expect(try await reader.send("POST", "playlists/\(id)/items", body: body([uri(1)])).status == 0)
            #expect(try await uris(reader, id) == [uri(1)])
        }
    }

    @Test(
        "A new playlist has the members of a recorded one",
        .enabled(if: RecordedPayloads.spotify.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapeOfAPlaylist() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            let reader = try await visitor.reader(scope: Self.scopes)
            let answer = try await reader.send("POST", "me/playlists", body: #"{"name": "One", "public": false}"#)
            let made = try #require(answer.json)
            let recorded = Shape(try RecordedPayloads.spotify.json("new_playlist.json")).leaves.keys
            #expect(Set(Shape(made).leaves.keys) == Set(recorded))
            let added = try await reader.send("POST", "playlists/\(made.id)/items", body: body([uri(1)]))
            let update = Shape(try RecordedPayloads.spotify.json("playlist_update_items.json"))
            #expect(Shape(try #require(added.json)).leaves == update.leaves)
        }
    }
}
