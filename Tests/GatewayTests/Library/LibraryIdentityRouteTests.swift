import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Library
import LibraryWriting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("Routes of songs' identity", .timeLimit(.minutes(5)))
struct LibraryIdentityRouteTests {
    private typealias Object = LibraryClient.Object

    /// The id of the song with a title.
    private func id(_ library: LibraryClient, _ title: String) async throws -> String {
        let path = "tracks?q=" + title.replacing(" ", with: "+")
        let ids: [String] = try await library.values(path, "id")
        return try #require(ids.first, "\(title)")
    }

    private func sourceTracks(_ library: LibraryClient, _ track: String) async throws -> [String] {
        try await library.values("tracks/\(track)", "id", in: "sourceTracks")
    }

    private func answer(_ library: LibraryClient, _ path: String, _ body: String) async throws -> Object {
        let response = try await library.post(path, body)
        #expect(response.status == .ok, "\(path)")
        return try response.object
    }

    private func json(_ name: String, _ ids: [String]) -> String {
        #"{"\#(name)": [\#(ids.map { "\"\($0)\"" }.joined(separator: ", "))]}"#
    }

    private func run(_ body: @escaping @Sendable (LibraryClient, LibraryPerson) async throws -> Void) async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                try await body(LibraryClient(client: client, headers: ada.headers), ada)
            }
        }
    }

    @Test("A split moves source tracks to a song of their own, and is undone by its decision")
    func splitAndItsUndoing() async throws {
        try await run { library, _ in
            let track = try await id(library, "Song 4")
            let parts = try await sourceTracks(library, track)
            #expect(parts.count == 2)
            var identity = try await library.object("tracks/\(track)/identity")
            var explained = try #require(identity["sourceTracks"] as? [Object])
            #expect(identity["trackId"] as? String == track && (identity["decisions"] as? [Object])?.isEmpty == true)
            #expect(explained.compactMap { $0["id"] as? String } == parts)
            #expect(explained.compactMap { $0["source"] as? String } == ["appleMusic", "spotify"])
            #expect(explained.allSatisfy { ($0["evidence"] as? [String])?.isEmpty == false })

            let split = try await answer(library, "tracks/\(track)/split", json("sourceTrackIds", [parts[1]]))
            let tracks = try #require(split["tracks"] as? [String])
            let decision = try #require(split["decision"] as? String)
            #expect(tracks.count == 2 && tracks[0] == track)
            let left = try await sourceTracks(library, tracks[1])
            #expect(left == [parts[1]])
            identity = try await library.object("tracks/\(tracks[1])/identity")
            let decisions = try #require(identity["decisions"] as? [Object])
            #expect(decisions.map { $0["kind"] as? String } == ["split"])
            #expect(decisions.first?["id"] as? String == decision && decisions.first?["at"] is String)
            explained = try #require(identity["sourceTracks"] as? [Object])
            #expect(explained.count == 1)

            let undone = try await library.delete("decisions/" + decision)
            #expect(undone.status == .ok)
            #expect(try undone.object["tracks"] as? [String] == [track])
            let again = try await sourceTracks(library, track)
            #expect(again == parts)
            #expect(try await library.delete("decisions/" + decision).status == .notFound)
        }
    }

    @Test("An id that was merged away returns its survivor")
    func mergedID() async throws {
        try await run { library, _ in
            let (first, second) = (try await id(library, "Song 1"), try await id(library, "Song 8"))
            let merged = try await answer(library, "merges", json("trackIds", [second, first]))
            // Apple Music has the first.
            #expect(merged["track"] as? String == first)
            let track = try await library.object("tracks/" + second)
            #expect(track["id"] as? String == first && track["sources"] as? [String] == ["appleMusic", "spotify"])
            let identity = try await library.object("tracks/\(second)/identity")
            #expect(identity["trackId"] as? String == first)
            let summary = try await library.object("summary")
            #expect((summary["tracks"] as? [String: Int])?["all"] == 8)
            let kinds: [String] = try await library.values("decisions", "kind")
            #expect(kinds == ["merge"])
            let decision = try #require(merged["decision"] as? String)
            let undone = try await library.delete("decisions/" + decision)
            #expect(Set(try #require(try undone.object["tracks"] as? [String])) == [first, second])
            let own = try await library.object("tracks/" + second)
            #expect(own["id"] as? String == second)
        }
    }

    @Test("Likely duplicates are decided with one call")
    func decidedDuplicates() async throws {
        try await run { library, ada in
            for (source, album) in [(MusicSource.appleMusic, "Post"), (.spotify, "Greatest Hits")] {
                let scan = try await ada.scan(source)
                let tracks = ["Hyperballad", "Isobel"].map {
                    SourceTrack(sourceID: "\(source)-\($0)", title: $0, artist: "Björk", album: album)
                }
                try await ada.write { transaction in
                    _ = try transaction.tracks.storeSavedTracks(
                        tracks, by: scan, isWhole: false, now: LibraryPerson.began)
                }
            }
            let page = try await library.object("duplicates")
            let items = try #require(page["items"] as? [Object])
            #expect(items.count == 2 && page["nextCursor"] is NSNull && page["total"] as? Int == 2)
            let pairs = items.compactMap { $0["tracks"] as? [String] }
            #expect(items.allSatisfy { ($0["evidence"] as? [String])?.isEmpty == false })
            let songs = try #require(items[0]["songs"] as? [Object])
            #expect(songs.compactMap { $0["id"] as? String } == pairs[0])
            let first = try await library.object("duplicates?limit=1")
            let cursor = try #require(first["nextCursor"] as? String)
            let rest = try #require(try await library.object("duplicates?cursor=\(cursor)")["items"] as? [Object])
            #expect(rest.compactMap { $0["tracks"] as? [String] } == [pairs[1]])

            let merged = try await answer(library, "merges", json("trackIds", pairs[0]))
            #expect(pairs[0].contains(try #require(merged["track"] as? String)))
            let apart = try await answer(library, "splits", json("trackIds", pairs[1]))
            let left: [Object] = try #require(try await library.object("duplicates")["items"] as? [Object])
            #expect(left.isEmpty)
            let again = try await library.post("splits", json("trackIds", pairs[1]))
            #expect(try again.status == .conflict && again.problem.code == "alreadyApart")
            #expect(try await library.delete("decisions/\(try #require(apart["decision"] as? String))").status == .ok)
            let back = try #require(try await library.object("duplicates")["items"] as? [Object])
            #expect(back.compactMap { $0["tracks"] as? [String] } == [pairs[1]])
        }
    }

    @Test("Decisions that cannot be made are refused, and the problem says what to do")
    func refusedDecisions() async throws {
        try await run { library, _ in
            let (track, other) = (try await id(library, "Song 4"), try await id(library, "Song 5"))
            let parts = try await sourceTracks(library, track)
            let foreign = try await sourceTracks(library, other)
            let unknown = UUIDv7.next()
            let split = "tracks/\(track)/split"
            let refused: [(String, String, Int, String)] = [
                (split, json("sourceTrackIds", []), 422, "invalidField"),
                (split, json("sourceTrackIds", parts), 409, "splitsNothing"),
                (split, json("sourceTrackIds", [foreign[0]]), 404, "notFound"),
                (split, json("sourceTrackIds", [unknown]), 404, "notFound"),
                (split, #"{"sourceTrackIds": [7]}"#, 422, "invalidField"),
                (split, "{}", 422, "invalidField"), (split, "[]", 422, "invalidField"),
                (split, "x", 400, "invalidJSON"),
                ("tracks/\(unknown)/split", json("sourceTrackIds", [parts[0]]), 404, "notFound"),
                ("merges", json("trackIds", [track]), 422, "invalidField"),
                ("merges", json("trackIds", [track, track]), 422, "invalidField"),
                ("merges", json("trackIds", [track, unknown]), 404, "notFound"),
                ("merges", json("trackIds", [track, parts[0]]), 404, "notFound"),
                ("splits", json("trackIds", [track, "no id"]), 404, "notFound"),
                ("splits", #"{"trackIds": "\#(track)"}"#, 422, "invalidField"),
            ]
            for (path, body, status, code) in refused {
                let response = try await library.post(path, body)
                #expect(response.status.code == status, "\(path) \(body)")
                #expect(try response.problem.code == code, "\(path) \(body)")
            }
            #expect(try await library.get("tracks/\(unknown)/identity").status == .notFound)
            let merged = try await answer(library, "merges", json("trackIds", [track, other]))
            #expect(merged["track"] is String)
            let again = try await library.post("merges", json("trackIds", [track, other]))
            #expect(again.status == .conflict)
            #expect(try again.problem.code == "oneTrack")
        }
    }

    @Test("Another person's songs and decisions are unknown")
    func songsOfOthers() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            let bob = try await LibraryPerson(gateway, name: "bob")
            try await gateway.withClient { client in
                let own = LibraryClient(client: client, headers: ada.headers)
                let other = LibraryClient(client: client, headers: bob.headers)
                let tracks = [try await id(own, "Song 4"), try await id(own, "Song 5")]
                let parts = try await sourceTracks(own, tracks[0])
                let merged = try await answer(own, "merges", json("trackIds", tracks))
                let decision = try #require(merged["decision"] as? String)
                #expect(try await other.get("tracks/\(tracks[0])/identity").status == .notFound)
                #expect(try await other.get("tracks/\(tracks[1])").status == .notFound)
                for (path, body) in [
                    ("tracks/\(tracks[0])/split", json("sourceTrackIds", [parts[0]])),
                    ("merges", json("trackIds", tracks)), ("splits", json("trackIds", tracks)),
                ] {
                    #expect(try await other.post(path, body).status == .notFound, "\(path)")
                }
                #expect(try await other.delete("decisions/" + decision).status == .notFound)
                let seen: [String] = try await other.values("decisions", "id")
                #expect(seen.isEmpty)
                let mine: [String] = try await own.values("decisions", "id")
                #expect(mine == [decision])
            }
        }
    }

    @Test("The setting about remasters is saved, even before the first sync")
    func remasterSetting() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: headers)
                var settings = try await library.object("settings")
                #expect(settings as? [String: Bool] == ["remastersAreSame": true])
                for body in [#"{"remastersAreSame": false}"#, "{}"] {
                    let response = try await library.patch("settings", body)
                    #expect(try response.object as? [String: Bool] == ["remastersAreSame": false], "\(body)")
                }
                settings = try await library.object("settings")
                #expect(settings as? [String: Bool] == ["remastersAreSame": false])
                let refused = try await library.patch("settings", #"{"remastersAreSame": 1}"#)
                #expect(refused.status == .unprocessableContent)
            }
        }
    }
}
