import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("Routes of libraries", .timeLimit(.minutes(5)))
struct LibraryRouteTests {
    @Test("The summary has the counts of each source and of both")
    func countsOfTheSummary() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                let summary = try await library.object("summary")
                #expect(
                    summary["tracks"] as? [String: Int] == ["all": 9, "appleMusic": 6, "spotify": 5, "both": 2])
                #expect(summary["playlists"] as? Int == 1 && summary["albums"] as? Int == 1)
                #expect(summary["missing"] as? Int == 0 && summary["lastSyncedAt"] is NSNull)
            }
        }
    }

    @Test(
        "Lists accept source, q, sort, limit, cursor and position",
        arguments: [
            ("tracks?sort=title", Array(0..<9)), ("tracks", Array((0..<9).reversed())),
            ("tracks?source=both&sort=title", [4, 5]), ("tracks?source=spotify&sort=title&limit=2", [4, 5]),
            ("tracks?source=appleMusic&sort=album&position=4", [4, 5]), ("tracks?q=SONG%207", [7]),
            ("tracks?q=bjork%20%26&sort=artist&position=7&limit=1", [7]), ("tracks?q=nothing", []),
            ("tracks?position=9", []), ("tracks?position=100000000000", []), ("tracks?q=&sort=title&limit=1", [0]),
            ("tracks?q=song+7", [7]), ("tracks?q=song%2B7", []), ("tracks?q=song&sort=title&position=7", [7, 8]),
            ("tracks?q=%27&sort=title&limit=1", [0]), ("tracks?q=8&source=appleMusic", []),
            ("tracks?artist=friends&sort=title&position=7", [7, 8]), ("tracks?artist=bjork&q=song%207", [7]),
            ("tracks?artist=Bjo", []), ("changes?kind=returned", []),
        ] as [(String, [Int])])
    func parametersOfLists(path: String, numbers: [Int]) async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                let titles: [String] = try await library.values(path)
                #expect(titles == numbers.map { "Song \($0)" })
            }
        }
    }

    @Test("Cursors lead through a list, with its total on every page")
    func cursorsOfLists() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                var (titles, path, pages): ([String], String?, Int) = ([], "tracks?sort=title&limit=4", 0)
                while let next = path {
                    let page = try await library.object(next)
                    #expect(page["total"] as? Int == 9)
                    let items = try #require(page["items"] as? [LibraryClient.Object])
                    titles += items.compactMap { $0["title"] as? String }
                    path = (page["nextCursor"] as? String).map { "tracks?sort=title&limit=4&cursor=\($0)" }
                    pages += 1
                }
                #expect(titles == (0..<9).map { "Song \($0)" } && pages == 3)
            }
        }
    }

    @Test(
        "Wrong parameters are refused by name",
        arguments: [
            ("tracks?source=tidal", 422, "source"), ("tracks?sort=random", 422, "sort"),
            ("tracks?limit=0", 422, "limit"), ("tracks?limit=201", 422, "limit"),
            ("tracks?cursor=x", 422, "cursor"), ("tracks?position=-1", 422, "position"),
            ("tracks?position=%2B1", 422, "position"), ("tracks?position=1.5", 422, "position"),
            ("tracks?position=0&cursor=x", 400, "position"), ("playlists?source=both", 422, "source"),
            ("albums?cursor=x", 422, "cursor"), ("changes?since=yesterday", 422, "since"),
            ("changes?position=0&cursor=x", 400, "position"), ("changes?kind=lost", 422, "kind"),
            ("changes?trackId=x", 422, "trackId"), ("changes?sort=title", 422, "sort"),
            ("tracks?artist=%27", 422, "artist"), ("albums?artist=", 422, "artist"),
            ("tracks?q=" + String(repeating: "a", count: 201), 422, "q"), ("tracks?q=%ED%A0%80", 422, "q"),
        ] as [(String, Int, String)])
    func wrongParameters(path: String, status: Int, field: String) async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let response = try await LibraryClient(client: client, headers: headers).get(path)
                #expect(response.status.code == status)
                let problem = try response.problem
                #expect(problem.code == "invalidParameter" && problem.field == field)
            }
        }
    }

    @Test("A track has a section for each source, and its list's members")
    func sectionsOfATrack() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                let listed = try #require(
                    try await library.object("tracks?q=song%204")["items"] as? [LibraryClient.Object])
                let item = try #require(listed.first)
                let id = try #require(item["id"] as? String)
                #expect(UUIDv7.isWellFormed(id))
                let track = try await library.object("tracks/" + id)
                #expect(Set(item.keys).union(["sourceTracks"]) == Set(track.keys))
                #expect(track["sources"] as? [String] == ["appleMusic", "spotify"])
                #expect(track["inLibrary"] as? Bool == true && track["missingSince"] is NSNull)
                #expect(track["durationMs"] as? Int == 4_000)
                let sourceIDs: [String] = try await library.values("tracks/" + id, "sourceId", in: "sourceTracks")
                #expect(sourceIDs == ["appleMusic-4", "spotify-4"])
            }
        }
    }

    @Test("A playlist has its entries, and an album its tracks, in pages")
    func playlistAndAlbum() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                let playlists: [String] = try await library.values("playlists?q=MIX&source=spotify", "id")
                let id = try #require(playlists.first)
                let playlist = try await library.object("playlists/\(id)?limit=2")
                #expect(playlist["owner"] as? String == "Ada" && playlist["isPublic"] as? Bool == false)
                #expect(playlist["trackCount"] as? Int == 3 && playlist["total"] as? Int == 3)
                #expect(playlist["lastSyncedAt"] is String)
                let entries = try #require(playlist["entries"] as? [LibraryClient.Object])
                #expect(entries.map { $0["kind"] as? String } == ["track", "local"])
                #expect((entries[0]["track"] as? LibraryClient.Object)?["title"] as? String == "Song 4")
                #expect(entries[1]["track"] is NSNull && entries[1]["title"] as? String == "A file")
                let cursor = try #require(playlist["nextCursor"] as? String)
                let rest: [Int] = try await library.values(
                    "playlists/\(id)?cursor=\(cursor)", "position", in: "entries")
                #expect(rest == [2])

                let albums: [String] = try await library.values("albums?q=bjork", "id")
                let album = try await library.object("albums/" + (try #require(albums.first)))
                #expect(album["name"] as? String == "Debut" && album["total"] as? Int == 9)
                #expect(album["lastSyncedAt"] is String)
                let titles = try #require(album["tracks"] as? [LibraryClient.Object]).map { $0["title"] as? String }
                #expect(titles == (0..<9).map { "Song \($0)" })
            }
        }
    }

    @Test("Ids that nobody has, that another person has and that are malformed are 404")
    func unknownIDs() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            let bob = try await LibraryPerson(gateway, name: "bob")
            try await gateway.withClient { client in
                let own = LibraryClient(client: client, headers: ada.headers)
                let other = LibraryClient(client: client, headers: bob.headers)
                for list in ["tracks", "playlists", "albums"] {
                    let ids: [String] = try await own.values(list, "id")
                    let id = try #require(ids.first)
                    #expect(try await own.get("\(list)/\(id)").status == .ok)
                    for unknown in [id.uppercased(), UUIDv7.next(), "1"] {
                        let response = try await own.get("\(list)/\(unknown)")
                        #expect(response.status == .notFound, "\(list) \(unknown)")
                    }
                    #expect(try await other.get("\(list)/\(id)").status == .notFound)
                    let seen: [String] = try await other.values(list, "id")
                    #expect(seen.isEmpty)
                }
                let nothing = try await other.object("tracks?q=song")
                #expect(nothing["total"] as? Int == 0)
                let changes = try await other.object("changes")
                #expect(changes["total"] as? Int == 0)
            }
        }
    }

    @Test("An answer that the client already has is 304")
    func entityTags() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                for path in ["summary", "tracks", "playlists", "albums", "changes", "sources/spotify/removal"] {
                    let tag = try #require(try await library.get(path).headers[.eTag], "\(path)")
                    var headers = ada.headers
                    headers[.ifNoneMatch] = tag
                    let again = try await LibraryClient(client: client, headers: headers).get(path)
                    #expect(again.status == .notModified && again.body.readableBytes == 0, "\(path)")
                }
            }
        }
    }

    @Test("Changes since a moment name their track, source and kind")
    func changesSinceAMoment() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                let all = try await library.object("changes?limit=200")
                let items = try #require(all["items"] as? [LibraryClient.Object])
                #expect(items.count == all["total"] as? Int)
                let songs = items.filter { $0["item"] as? String == "track" }
                #expect(songs.count == 11 && songs.allSatisfy { $0["kind"] as? String == "added" })
                #expect(songs.allSatisfy { $0["trackId"] is String && $0["source"] is String && $0["at"] is String })
                let track = try #require(songs.last?["trackId"] as? String)
                let ofTrack: [String] = try await library.values("changes?trackId=\(track)&kind=added", "trackId")
                #expect(Set(ofTrack) == [track])
                let latest: [String] = try await library.values("changes?sort=latest&limit=200", "id")
                #expect(latest == items.compactMap { $0["id"] as? String }.reversed())
                let later = try await library.object("changes?since=2030-01-01T00:00:00Z")
                #expect(later["total"] as? Int == 0)
                for offset in ["%2B02:00", "+02:00", "-02:00", ".5Z", "z"] {
                    let page = try await library.object("changes?since=2030-01-01T00:00:00\(offset)")
                    #expect(page["total"] as? Int == 0, "\(offset)")
                }
                let since: [String] = try await library.values("changes?since=\(LibraryPerson.began)", "id")
                #expect(since.count == min(50, items.count))
            }
        }
    }
}
