import Foundation
import TestProcesses
import Testing

/// Spotify's API has two shapes: one for apps in development mode since 2026, and one for apps with an extended quota.
@Suite("Syncs with both shapes of Spotify's API", .timeLimit(.minutes(20)))
struct SpotifyShapeSyncTests {
    private struct Playlists: Decodable {
        struct Item: Decodable {
            var id: String
            var sourceId: String
            var trackCount: Int
            var entriesState: String
        }

        var items: [Item]
    }

    private struct Entries: Decodable {
        struct Entry: Decodable {
            struct Track: Decodable {
                var id: String
            }

            var position: Int
            var kind: String
            var track: Track?
        }

        var entries: [Entry]
        var total: Int
    }

    /// What a shape has led to.
    private struct Outcome {
        /// The rows of a library in which everything is the person's own or shared with them.
        var rows: [String] = []
        /// The rows of the library with a playlist that somebody else owns.
        var summary: LibrarySummaryAnswer?
    }

    private static let tracks = 230
    private static let albums = 60
    /// Of each playlist: two pages.
    private static let entries = 70

    @Test("Both shapes lead to the same library, except for what only one of them provides")
    func bothShapes() async throws {
        let development = try await sync(mode: "dev2026")
        let extended = try await sync(mode: "legacy")
        let differences = LibraryRows.differences(Self.shared(development.rows), Self.shared(extended.rows))
        let some = differences.prefix(20).map { String($0.prefix(400)) }
        #expect(differences.isEmpty, "\(differences.count): \(some)")
        // Development mode no longer has the popularity of tracks.
        let tracks = development.rows.filter { $0.hasPrefix("library_source_tracks") }
        #expect(tracks.allSatisfy { $0.contains("| popularity=NULL |") })
        let known = extended.rows.filter { $0.hasPrefix("library_source_tracks") }
        #expect(known.count == tracks.count && known.contains { !$0.contains("| popularity=NULL |") })
        // The other person's playlist has tracks that nothing else has.
        let (fewer, more) = (try #require(development.summary), try #require(extended.summary))
        #expect(fewer.tracks.all < more.tracks.all)
        #expect(fewer.playlists == more.playlists && fewer.albums == more.albums)
    }

    /// The rows without the column that one shape leaves empty.
    private static func shared(_ rows: [String]) -> [String] {
        rows.map { row in
            row.components(separatedBy: " | ").filter { !$0.hasPrefix("popularity=") }.joined(separator: " | ")
        }
    }

    private func sync(mode: String) async throws -> Outcome {
        var outcome = Outcome()
        try await LibraryInstallation.run { library in
            let spotify = library.upstreams.spotify
            try await spotify.configure(["mode": .string(mode)])
            let whole = try await Self.fill(spotify)
            let foreign = whole.playlists[2]
            try #require(!foreign.isOwn)
            try await spotify.changeLibrary(playlists: [.init("delete", id: foreign.id)])

            let ada = try await library.base.addUser()
            try await library.connectSpotify(ada)
            let first = try await ada.syncsEnded()
            let source = try #require(first.source("spotify"))
            #expect(first.state == "complete" && source.error == nil, "\(first)")
            let listed = Self.tracks + whole.playlists.count - 1 + Self.albums
            #expect(source.found == listed && source.total == listed && source.new >= Self.tracks, "\(source)")
            let summary = try await ada.librarySummary()
            #expect(summary.playlists == whole.playlists.count - 1 && summary.albums == Self.albums)
            #expect(summary.missing == 0)
            try await expectEntries(of: whole.playlists[0].id, as: ada)
            try await expectUnchanged(library, ada, "the second sync")
            outcome.rows = try await library.base.withDatabase { database in
                try await database.read { try LibraryRows($0).lines() }
            }

            // A playlist of somebody else is added.
            try await Self.fill(spotify)
            let before = try await library.requests(spotify)
            let refused = try await spotify.answers(403)
            _ = try await ada.askForSync(#"{"force":true}"#)
            let third = try await ada.syncsEnded()
            #expect(third.state == "complete" && third.source("spotify")?.error == nil, "\(third)")
            let isReadable = mode == "legacy"
            #expect(try await library.requests(spotify) - before == (isReadable ? 5 : 4))
            #expect(try await spotify.answers(403) - refused == (isReadable ? 0 : 1))
            let found = try #require(try await playlists(of: ada).first { $0.sourceId == foreign.id })
            #expect(found.trackCount == Self.entries && found.entriesState == (isReadable ? "read" : "forbidden"))
            let entries: Entries = try await ada.get("/v1/library/playlists/\(found.id)?limit=200").decode()
            #expect(entries.total == (isReadable ? Self.entries : 0))
            // The refusal is expected: nothing is wrong with the connection.
            let step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "complete" && step.reason == nil)
            try await expectUnchanged(library, ada, "the fourth sync")
            outcome.summary = try await ada.librarySummary()
            if !isReadable { try await expectEntriesAfterConsent(of: foreign.id, library, ada) }
        }
        return outcome
    }

    /// Expects the refused entries of a playlist to appear once the app may read them and the person has consented
    /// again.
    private func expectEntriesAfterConsent(
        of sourceID: String, _ library: LibraryInstallation, _ ada: APIClient
    ) async throws {
        let last = try await ada.syncsEnded()
        try await library.upstreams.spotify.configure(["mode": "legacy"])
        try await library.connectSpotify(ada)
        let sync = try await ada.syncEnded(after: last.id)
        #expect(sync.state == "complete", "\(sync)")
        let playlist = try #require(try await playlists(of: ada).first { $0.sourceId == sourceID })
        #expect(playlist.trackCount == Self.entries && playlist.entriesState == "read")
    }

    @discardableResult
    private static func fill(_ spotify: SimulatedUpstream) async throws -> SimulatedUpstream.Library {
        try await spotify.setLibrary(tracks: tracks, playlists: 8, entries: entries, albums: albums)
    }

    /// Expects a sync to find nothing new, with a request for each list.
    private func expectUnchanged(_ library: LibraryInstallation, _ ada: APIClient, _ name: String) async throws {
        let before = try await library.requests(library.upstreams.spotify)
        _ = try await ada.askForSync(#"{"force":true}"#)
        let sync = try await ada.syncsEnded()
        #expect(sync.state == "complete", "\(name): \(sync)")
        let source = try #require(sync.source("spotify"))
        #expect(source.new == 0 && source.changed == 0 && source.error == nil, "\(name): \(source)")
        #expect(try await library.requests(library.upstreams.spotify) - before == 3, "\(name)")
    }

    /// Expects all entries of the playlist with every kind of entry, at their positions.
    private func expectEntries(of sourceID: String, as ada: APIClient) async throws {
        let playlist = try #require(try await playlists(of: ada).first { $0.sourceId == sourceID })
        #expect(playlist.entriesState == "read" && playlist.trackCount == Self.entries)
        let list: Entries = try await ada.get("/v1/library/playlists/\(playlist.id)?limit=200").decode()
        #expect(list.total == Self.entries && list.entries.map(\.position) == Array(0..<Self.entries))
        let others = list.entries.filter { $0.kind != "track" }.map { "\($0.position) \($0.kind)" }
        #expect(others == ["3 local", "5 episode", "8 unavailable"])
        #expect(list.entries.allSatisfy { ($0.track != nil) == ($0.kind == "track") })
        let ids = list.entries.map(\.track?.id)
        #expect(ids.count > 9 && ids[9] == ids[0], "The duplicate is the same track.")
    }

    private func playlists(of ada: APIClient) async throws -> [Playlists.Item] {
        try await ada.get("/v1/library/playlists?source=spotify&limit=200").decode(Playlists.self).items
    }
}
