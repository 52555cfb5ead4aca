import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// Top lists, recent plays, and the player of somebody who plays nothing, over HTTP.
@Suite("What people listen to at the simulated Spotify")
struct SimulatedSpotifyListeningTests {
    private static let scopes =
        "user-top-read user-read-recently-played user-read-playback-state user-read-currently-playing "
        + "user-modify-playback-state"

    @Test("Top lists differ by range, and are empty for somebody new", arguments: ["artists", "tracks"])
    func topLists(kind: String) async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader(scope: Self.scopes)
            #expect(try await reader.read("me/top/\(kind)")["total"] as? Int == 0)
            try await visitor.order("library", #"{"tracks": 2000}"#)
            func ids(_ query: String) async throws -> [String] {
                try await reader.items("me/top/\(kind)?\(query)").compactMap { ($0 as? [String: Any])?.id }
            }
            let usual = try await ids("limit=50")
            #expect(usual.count == 50 && Set(usual).count == 50)
            #expect(try await ids("limit=50&time_range=medium_term") == usual)
            let short = try await ids("limit=50&time_range=short_term")
            let long = try await ids("limit=50&time_range=long_term")
            #expect(Set([usual, short, long]).count == 3)
            #expect(try await ids("limit=20&offset=10") == Array(usual.dropFirst(10).prefix(20)))
            let last = try await reader.read("me/top/\(kind)?limit=50&offset=150")
            #expect(last["next"] is NSNull && (last["total"] as? Int ?? 0) <= 200)
            let first = try #require(try await reader.items("me/top/\(kind)").first as? [String: Any])
            #expect(first["type"] as? String == String(kind.dropLast()))

            let range = try await reader.refusal("me/top/\(kind)?time_range=week")
            #expect(range == CallRefusal(400, "Invalid time range"))
            #expect(try await reader.refusal("me/top/\(kind)?limit=51") == CallRefusal(400, "Invalid limit"))
            let narrow = try await visitor.reader()
            #expect(try await narrow.refusal("me/top/\(kind)") == CallRefusal(403, "Insufficient client scope"))
        }
    }

    @Test(
        "A top artist has the members of a recorded one",
        .enabled(if: RecordedPayloads.spotify.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapeOfAnArtist() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            try await visitor.order("library", #"{"tracks": 500}"#)
            let page = try await visitor.reader(scope: Self.scopes).read("me/top/artists?limit=48")
            let recorded = Shape(try RecordedPayloads.spotify.json("top_artists.json")).leaves.keys
            #expect(Set(Shape(page).leaves.keys) == Set(recorded))
        }
    }

    @Test("There are at most fifty recent plays, with cursors and without a total")
    func recentPlays() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader(scope: Self.scopes)
            let nothing = try await reader.read("me/player/recently-played")
            #expect((nothing["items"] as? [Any])?.isEmpty == true && nothing["total"] == nil)
            #expect(nothing["cursors"] is NSNull && nothing["next"] is NSNull)

            try await visitor.order("library", #"{"tracks": 30}"#)
            var moments: [String] = []
            var path = "me/player/recently-played?limit=30"
            while true {
                let page = try await reader.read(path)
                let items = try #require(page["items"] as? [[String: Any]])
                moments += items.compactMap { $0["played_at"] as? String }
                #expect(items.allSatisfy { $0.path("track", "type") as? String == "track" })
                guard let next = page["next"] as? String else { break }
                path = String(try #require(next.components(separatedBy: "/spotify/v1/").last))
            }
            #expect(moments.count == 50 && moments == moments.sorted(by: >) && Set(moments).count == 50)
            #expect(moments[0] == "2026-11-01T00:00:00.497Z")

            let latest = try await reader.read("me/player/recently-played?limit=1")
            let cursor = try #require(latest.path("cursors", "after") as? String)
            #expect(try await reader.items("me/player/recently-played?after=\(cursor)").isEmpty)
            try await visitor.order("library/changes", #"{"play": 3}"#)
            let new = try await reader.items("me/player/recently-played?after=\(cursor)")
            #expect(new.count == 3)
            let both = try await reader.refusal("me/player/recently-played?after=1&before=2")
            #expect(both.status == 400)
            #expect(try await reader.refusal("me/player/recently-played?before=now").status == 400)
            #expect(try await reader.refusal("me/player/recently-played?limit=51") == CallRefusal(400, "Invalid limit"))
        }
    }

    @Test("Nothing playing is a 204, and a command without a device is a 404 with its reason")
    func commandsOfThePlayer() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader(scope: Self.scopes)
            for path in ["me/player", "me/player/currently-playing"] {
                let answer = try await reader.get(path)
                #expect(answer.status == 204 && answer.body.isEmpty, "\(path)")
            }
            let devices = try await reader.read("me/player/devices")["devices"] as? [Any]
            #expect(devices?.isEmpty == true)
            for (method, path) in [
                ("PUT", "me/player/play"), ("PUT", "me/player/pause"), ("POST", "me/player/next"),
            ] {
                let refused = try await reader.send(method, path)
                #expect(refused.status == 404)
                #expect(refused.json?.path("error", "reason") as? String == "NO_ACTIVE_DEVICE", "\(path)")
                let unknown = try await reader.send(method, path + "?device_id=x")
                #expect(unknown.status == 404 && unknown.text.contains("Device not found"))
            }
            for (devices, status) in [("[]", 400), (#"["a", "b"]"#, 400), (#"["a"]"#, 404)] {
                let answer = try await reader.send("PUT", "me/player", body: #"{"device_ids": \#(devices)}"#)
                #expect(answer.status == status, "\(devices)")
            }
            let narrow = try await visitor.reader()
            for path in ["me/player", "me/player/currently-playing", "me/player/recently-played"] {
                #expect(try await narrow.refusal(path) == CallRefusal(403, "Insufficient client scope"), "\(path)")
            }
        }
    }
}
