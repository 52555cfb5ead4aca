import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("The parameter fields of the simulated Spotify")
struct SimulatedSpotifyFieldsTests {
    private static let document = #"""
        {"name":"a \"b\" {c","total":2,"items":[{"added_at":"x","track":{"id":"1","name":null,"album":{"name":"n",
        "images":[],"href":"h"}}},{"added_at":null,"track":null}],"next":null,"public":true,"ratio":0.50}
        """#.replacing("\n", with: "")

    private func select(_ fields: String) throws -> String {
        JSONSelection.text(of: Self.document, keeping: try SpotifyFields(fields))
    }

    @Test(
        "Names, dots, parentheses and exclamation marks choose members, and what is kept does not change",
        arguments: [
            ("name", #"{"name":"a \"b\" {c"}"#), ("ratio,total", #"{"total":2,"ratio":0.50}"#),
            ("public , next", #"{"next":null,"public":true}"#), ("nothing", "{}"),
            ("items(added_at)", #"{"items":[{"added_at":"x"},{"added_at":null}]}"#),
            ("items.track.id", #"{"items":[{"track":{"id":"1"}},{"track":null}]}"#),
            (
                "total,items(track(name,album.href))",
                #"{"total":2,"items":[{"track":{"name":null,"album":{"href":"h"}}},{"track":null}]}"#
            ),
            (
                "items(track(id,album(!images,href)))",
                #"{"items":[{"track":{"id":"1","album":{"name":"n"}}},{"track":null}]}"#
            ),
            ("items.added_at,items.track", #"{"items":[{"added_at":"x","track":{"#),
            ("!items,name,next", #"{"total":2,"public":true,"ratio":0.50}"#),
            ("items.track(name,!id)", #"{"items":[{"track":{"name":null}},{"track":null}]}"#),
        ])
    func selectedMembers(fields: String, kept: String) throws {
        #expect(try select(fields).hasPrefix(kept), "\(fields)")
    }

    @Test("A group that excludes nothing keeps everything")
    func emptyExclusion() throws {
        #expect(try select("!nothing") == Self.document)
        #expect(try select("!items(nothing)") == Self.document)
        #expect(SpotifyFields.everything.isEverything)
    }

    @Test(
        "A text that is not a list of fields is refused", arguments: ["", "a,", "a..b", "items(track", "items)", "(a)"])
    func invalidTexts(fields: String) {
        #expect(throws: SpotifyRefusal.self) { _ = try SpotifyFields(fields) }
    }

    @Test("Playlists and their items have the requested members, and the links repeat the parameters")
    func fieldsOfPlaylists() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let plan = #"{"tracks": 60, "playlists": 5, "entries": 60}"#
            let playlists = try await visitor.library("library", plan).playlists
            let reader = try await visitor.reader()
            let named = try await reader.read("playlists/\(playlists[0].id)?fields=name,snapshot_id,items.total")
            #expect(Set(named.keys) == ["name", "snapshot_id", "items"])
            #expect(named["snapshot_id"] as? String == playlists[0].snapshotId)
            #expect((named["items"] as? [String: Any])?.count == 1 && named.path("items", "total") as? Int == 60)

            let query = "additional_types=track,episode&fields=items(added_at,item(name,type)),next"
            let page = try await reader.read("playlists/\(playlists[0].id)/items?limit=20&\(query)")
            #expect(Set(page.keys) == ["items", "next"])
            let items = try #require(page["items"] as? [[String: Any]])
            #expect(items.count == 20 && items.allSatisfy { Set($0.keys) == ["added_at", "item"] })
            #expect(items[5].path("item", "type") as? String == "episode" && items[8]["item"] is NSNull)
            let next = try #require(page["next"] as? String)
            #expect(next.hasSuffix("/items?offset=20&limit=20&" + query))

            // What other people's playlists lack cannot be requested either.
            let others = try await reader.read("playlists/\(playlists[2].id)?fields=id,items,tracks")
            #expect(Set(others.keys) == ["id"])
            let broken = try await reader.refusal("playlists/\(playlists[0].id)?fields=items(")
            #expect(broken == CallRefusal(400, "Invalid fields"))
        }
    }
}
