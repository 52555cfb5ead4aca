import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// Playlists with everything that real ones contain, over HTTP.
@Suite("The simulated Spotify's playlists")
struct SimulatedSpotifyPlaylistTests {
    private static let plan = #"{"tracks": 60, "playlists": 8, "entries": 120}"#

    @Test(
        "A list is like real ones: missing descriptions and pictures, neither public nor private, two counts")
    func listOfPlaylists() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let library = try await visitor.library("library", Self.plan)
            let reader = try await visitor.reader()
            let items = try await reader.items("me/playlists").compactMap { $0 as? [String: Any] }
            #expect(items.map(\.id) == library.playlists.map(\.id))
            #expect(items.compactMap { $0["snapshot_id"] as? String } == library.playlists.compactMap(\.snapshotId))
            #expect(items[1]["images"] is NSNull && items[1]["description"] is NSNull)
            #expect(items[4]["public"] is NSNull && (items[4]["images"] as? [Any])?.isEmpty == true)
            #expect(items[5]["description"] as? String == "Made by Dana &amp; Lee")
            #expect(items[0].path("tracks", "total") as? Int == 120 && items[0].path("items", "total") as? Int == 120)
            #expect(items[2].path("owner", "id") as? String == PersonalLibrary.friend)
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            let old = try await reader.items("me/playlists?limit=1").first as? [String: Any]
            #expect(old?["tracks"] != nil && old?["items"] == nil)
        }
    }

    @Test("Local files, episodes, null entries and duplicates keep their positions")
    func oddEntries() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let id = try await visitor.library("library", Self.plan).playlists[0].id
            let reader = try await visitor.reader()
            let path = "playlists/\(id)/items?limit=20"
            let entries = try await reader.items(path).compactMap { $0 as? [String: Any] }
            #expect(entries.count == 20)
            let local = try #require(entries[3]["item"] as? [String: Any])
            #expect(entries[3]["is_local"] as? Bool == true && local["id"] is NSNull)
            #expect((local["uri"] as? String)?.hasPrefix("spotify:local:") == true)
            #expect(local.path("album", "release_date") is NSNull)
            #expect((local["external_ids"] as? [String: Any])?.isEmpty == true)
            #expect(entries[8]["item"] is NSNull && entries[8]["track"] is NSNull)
            #expect(entries[8]["added_at"] is NSNull && entries[8]["added_by"] is NSNull)
            #expect(entries[9].path("item", "id") as? String == entries[0].path("item", "id") as? String)

            // Without additional_types an episode looks like a track.
            #expect(entries[5].path("item", "type") as? String == "episode")
            #expect(entries[5].path("item", "album") != nil && entries[5].path("item", "show") == nil)
            let asked = try await reader.items(path + "&additional_types=track,episode")
            let episode = try #require((asked[5] as? [String: Any])?["item"] as? [String: Any])
            #expect(episode["show"] != nil && episode["album"] == nil && episode["external_ids"] == nil)
        }
    }

    @Test("Spotify's own playlists are listed, but only older apps can read them")
    func spotifysOwnPlaylists() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let id = try await visitor.library("library", #"{"tracks": 60, "playlists": 9}"#).playlists[8].id
            let reader = try await visitor.reader()
            let listed = try await reader.items("me/playlists").last as? [String: Any]
            #expect(listed?.path("owner", "id") as? String == "spotify" && listed?.id == id)
            for path in ["playlists/\(id)", "playlists/\(id)/items"] {
                #expect(try await reader.refusal(path) == CallRefusal(404, "Resource not found"))
            }
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            #expect(try await reader.items("playlists/\(id)/tracks").count == 30)
        }
    }

    @Test("Development mode has another path, the same entry twice, and no items of other people's playlists")
    func developmentMode() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let playlists = try await visitor.library("library", Self.plan).playlists
            let reader = try await visitor.reader()
            #expect(try await reader.refusal("playlists/\(playlists[0].id)/tracks") == CallRefusal(403, "Forbidden"))
            let tooMany = try await reader.refusal("playlists/\(playlists[0].id)/items?limit=51")
            #expect(tooMany == CallRefusal(400, "Invalid limit"))
            #expect(try await reader.refusal("playlists/\(playlists[2].id)/items") == CallRefusal(403, "Forbidden"))
            #expect(try await reader.get("playlists/\(playlists[3].id)/items").status == 200, "collaborating")
            let others = try await reader.read("playlists/\(playlists[2].id)")
            #expect(others["tracks"] == nil && others["items"] == nil && others["name"] is String)
            let own = try await reader.read("playlists/\(playlists[0].id)")
            #expect((own.path("items", "items") as? [Any])?.count == 50)
            #expect(try await reader.items("playlists/\(playlists[1].id)/items").isEmpty)

            try await visitor.order("config", #"{"mode": "legacy"}"#)
            let entries = try await reader.items("playlists/\(playlists[2].id)/tracks")
            #expect(entries.count == 100)
            #expect((entries.first as? [String: Any])?["item"] == nil)
            #expect(try await reader.refusal("playlists/\(playlists[2].id)/tracks?limit=101").status == 400)
        }
    }

    @Test("Edits change the snapshot and the items, and playlists appear and disappear")
    func editedPlaylist() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let before = try await visitor.library("library", Self.plan).playlists
            let edits = """
                {"playlists": [{"id": "\(before[6].id)", "edit": "replace", "count": 2},
                    {"index": 7, "edit": "delete"}, {"edit": "create", "count": 3, "name": "New one"}]}
                """
            let after = try await visitor.library("library/changes", edits).playlists
            #expect(after.count == 8 && after[0].name == "New one" && after[0].total == 3)
            #expect(after[7].id == before[6].id && after[7].total == 120)
            #expect(after[7].snapshotId != before[6].snapshotId)
            #expect(after[6].snapshotId == before[5].snapshotId)
            let reader = try await visitor.reader()
            #expect(try await reader.items("playlists/\(after[0].id)/items").count == 3)
            #expect(try await reader.refusal("playlists/\(before[7].id)").status == 404)
            let wrong = try await server.send(
                "POST", "/_sim/spotify/library/changes", body: #"{"playlists": [{"index": 99, "edit": "empty"}]}"#)
            #expect(wrong.status == 400)
        }
    }

    @Test(
        "Playlists and their entries have the members of recorded ones",
        .enabled(if: RecordedPayloads.spotify.areAvailable, Comment(rawValue: RecordedPayloads.missing)),
        arguments: [
            ("me/playlists", "current_user_playlist_1.json"), ("items", "playlist_items.json"),
        ])
    func shapeOfPlaylists(path: String, file: String) async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let library = try await visitor.library("library", #"{"playlists": 3, "oddities": false}"#)
            let address = path == "items" ? "playlists/\(library.playlists[0].id)/items?limit=30" : path
            let simulated = Set(Shape(try await visitor.reader().read(address)).leaves.keys)
            let recorded = Set(Shape(try RecordedPayloads.spotify.json(file)).leaves.keys)
            // The recordings are from an older app, which kept these.
            let kept = recorded.filter { leaf in
                // An empty list is also a leaf.
                !leaf.contains("available_markets") && !leaf.hasSuffix(".popularity")
                    && !simulated.contains { $0.hasPrefix(leaf + "[]") }
            }
            #expect(kept.subtracting(simulated).isEmpty, "\(kept.subtracting(simulated))")
            let extra = simulated.subtracting(recorded).filter { !$0.hasSuffix(".ean") }
            #expect(extra.isEmpty, "\(extra)")
        }
    }
}
