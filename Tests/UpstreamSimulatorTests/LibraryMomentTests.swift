import Foundation
import Testing

@testable import UpstreamSimulator

/// Changes of libraries right before and right after requests, and the record of both.
@Suite("What other people do between two requests")
struct LibraryMomentTests {
    private static let scopes = "playlist-read-private playlist-modify-public playlist-modify-private"

    private struct Songs {
        var server: RunningSimulator
        var visitor: SpotifyVisitor
        var reader: SpotifyVisitor.Reader
        var list: String
        /// Songs that no playlist has.
        var new: [String]
    }

    private static func start(_ server: RunningSimulator) async throws -> Songs {
        let visitor = SpotifyVisitor(server: server)
        let summary = try await visitor.library(
            "library", #"{"tracks": 0, "playlists": 1, "entries": 3, "oddities": false}"#)
        _ = try await visitor.order("library/record", "")
        let catalog = RecordingCatalog()
        return Songs(
            server: server, visitor: visitor, reader: try await visitor.reader(scope: scopes),
            list: try #require(summary.playlists.first?.id),
            new: (70_000..<70_006).map {
                catalog.spotifyID(.track, UInt64(catalog.usualEntry(of: $0, on: .spotify).number))
            })
    }

    private static func events(_ server: RunningSimulator) async throws -> [LibraryRecord.Event] {
        try JSONDecoder().decode(
            LibraryRecord.self, from: try await server.send("GET", "/_sim/spotify/library/record").body
        ).events
    }

    private static func entries(_ server: RunningSimulator) async throws -> [String] {
        let lists = try JSONDecoder().decode(
            [RecordedPlaylist].self, from: try await server.send("GET", "/_sim/spotify/library/playlists").body)
        return lists.first?.entries ?? []
    }

    @Test("A change happens right before the second matching request, and is recorded in that position")
    func changeBeforeARequest() async throws {
        try await withSimulator { server in
            let songs = try await Self.start(server)
            let former = try await Self.entries(server)
            let path = "playlists/\(songs.list)/items"
            let summary = try await songs.visitor.library(
                "library/changes",
                """
                {"at": {"match": {"endpoint": "POST /spotify/v1/playlists/{id}/items"}, "request": 2, "moment": "before"},
                 "playlists": [{"id": "\(songs.list)", "edit": "append", "songs": ["\(songs.new[5])"]}]}
                """)
            #expect(summary.waiting == 1)
            for song in songs.new.prefix(2) {
                _ = try await songs.reader.get(path + "?limit=50")
                let answer = try await songs.reader.send("POST", path, body: #"{"uris": ["spotify:track:\#(song)"]}"#)
                #expect(answer.status == 201)
            }
            #expect(try await Self.entries(server) == former + [songs.new[0], songs.new[5], songs.new[1]])
            let events = try await Self.events(server)
            #expect(events.map(\.kind) == [.request, .request, .changed, .request, .request, .changed, .changed])
            #expect(events.compactMap(\.author) == [.app, .person, .app])
            #expect(events.last?.entries == former + [songs.new[0], songs.new[5], songs.new[1]])
        }
    }

    @Test("A change after a request comes before its answer, even if a fault refuses the request")
    func changeAfterARequest() async throws {
        try await withSimulator { server in
            let songs = try await Self.start(server)
            let former = try await Self.entries(server)
            let path = "playlists/\(songs.list)/items"
            for edit in [
                #""edit": "remove", "songs": ["\#(former[1])"]"#,
                #""edit": "insert", "position": 0, "songs": ["\#(songs.new[4])"]"#,
            ] {
                _ = try await songs.visitor.library(
                    "library/changes",
                    """
                    {"at": {"match": {"endpoint": "POST"}, "moment": "after"},
                     "playlists": [{"id": "\(songs.list)", \(edit)}]}
                    """)
            }
            _ = try await songs.visitor.order(
                "faults", #"{"fault": "limit429", "times": 1, "match": {"endpoint": "POST"}}"#)
            let answer = try await songs.reader.send(
                "POST", path, body: #"{"uris": ["spotify:track:\#(songs.new[0])"]}"#)
            #expect(answer.status == 429)
            #expect(try await Self.entries(server) == [songs.new[4], former[0], former[2]])
            #expect(try await Self.events(server).first?.fault == .limit429)
        }
    }

    @Test("Changes that wait for a request are dropped on demand, and one that is no longer possible is dropped")
    func droppedChanges() async throws {
        try await withSimulator { server in
            let songs = try await Self.start(server)
            let former = try await Self.entries(server)
            func wait(_ edit: String) async throws {
                _ = try await songs.visitor.library(
                    "library/changes", #"{"at": {"moment": "before"}, "playlists": [{\#(edit)}]}"#)
            }
            try await wait(#""id": "nothing", "edit": "empty""#)
            _ = try await songs.reader.get("me/playlists")
            try await wait(#""id": "\#(songs.list)", "edit": "empty""#)
            let answer = try await server.send("DELETE", "/_sim/spotify/library/changes")
            #expect(answer.status == 200)
            _ = try await songs.reader.get("me/playlists")
            #expect(try await Self.entries(server) == former)
        }
    }

    @Test("Apple Music's date can change before its songs show")
    func lateSongs() {
        var plan = LibraryPlan()
        (plan.tracks, plan.playlists, plan.entries, plan.oddities) = (5, 1, 3, false)
        var library = PersonalLibrary(
            plan, of: "somebody", on: .apple, catalog: RecordingCatalog(seed: 1, count: 8_000))
        let before = library.playlists[0]
        let song = library.saved[0]
        library.addItems([.track(song.entry)], toPlaylist: before.id, after: 2, showsDateAtOnce: true)
        #expect(library.playlists[0].changedAt > before.changedAt)
        #expect(library.playlists[0].items == before.items)
        #expect(library.songs(of: library.playlists[0]).last == library.id(of: song))
        let date = library.playlists[0].changedAt
        library.countCall()
        library.countCall()
        #expect(library.playlists[0].items.count == 4 && library.playlists[0].changedAt == date)
    }
}
