import Model
import TestSupport
import Testing

@testable import Library

@Suite("Writing playlists and their entries")
struct WritingPlaylistsTests {
    private func playlist(_ version: String?, name: String = "Mix", count: Int? = nil) -> SourcePlaylist {
        var playlist = SourcePlaylist(sourceID: "p", name: name)
        playlist.version = version
        playlist.entryCount = count
        return playlist
    }

    private func entries(_ contents: [SourcePlaylistEntry.Content]) -> [SourcePlaylistEntry] {
        contents.enumerated().map { SourcePlaylistEntry(position: $0, content: $1, addedAt: nil) }
    }

    /// The shown entries of the only playlist: kind and title of the track or entry.
    private func shown(in library: WrittenLibrary) async throws -> [String] {
        try await library.database.read { reader in
            try reader.map(
                """
                SELECT kind, library_playlist_entries.title AS title, library_source_tracks.title AS track
                FROM library_playlists JOIN library_playlist_entries
                    ON library_playlist_entries.playlist_id = library_playlists.id
                    AND library_playlist_entries.version = library_playlists.entries_version
                LEFT JOIN library_source_tracks ON library_source_tracks.id = source_track_id
                WHERE library_playlists.library_id = \(library.libraryID) ORDER BY position
                """
            ) { row in
                let (title, track): (String?, String?) = (try row["title"], try row["track"])
                return "\(try row["kind"] as String) \(track ?? title ?? "")"
            }
        }
    }

    @Test("Entries keep their positions; only tracks become tracks, which are not in the library")
    func kinds() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            try await library.save([.made("s1")], .spotify)
            try await library.read(
                playlist("v1"),
                entries([
                    .track(.made("s1")), .local(title: "Demo"), .track(.made("s2", "Let Down")),
                    .episode(title: "News"), .unavailable(title: nil), .track(.made("s1")),
                ]), .spotify)
            let found = try await shown(in: library)
            #expect(
                found == [
                    "track Airbag", "local Demo", "track Let Down", "episode News", "unavailable ", "track Airbag",
                ])
            let saved = try await library.tracks().map(\.values.isSaved)
            #expect(saved == [true, false])
            try await library.expectSound()
        }
    }

    @Test("A playlist of the version that was read is not read again; one without a version always is")
    func versions() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let one = entries([.track(.made("s1"))])
            try await library.read(playlist("v1"), one, .spotify)
            let rows = try await library.rows()
            let unchanged = try await library.read(playlist("v1"), one, .spotify, at: 1)
            #expect(unchanged == nil)
            let after = try await library.rows()
            #expect(after == rows)
            let equal = try await library.read(playlist("v2"), one, .spotify, at: 2)
            #expect(equal == false)
            let unversioned = try await library.read(playlist(nil), one, .spotify, at: 3)
            #expect(unversioned == false)
            let versions = try await library.rows()["library_playlist_entries"]?.count
            #expect(versions == 1)
        }
    }

    @Test("New entries are shown at once, and the change log names the earlier ones")
    func replaced() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            try await library.read(
                playlist("v1"), entries([.track(.made("s1")), .track(.made("s2", "Lucky"))]), .spotify)
            let reading = try await library.reading(.spotify)
            let due = try await database.write { [second = playlist("v2")] in
                try $0.library.apply([second], by: reading, isWhole: false, now: WrittenLibrary.moment(1)).toRead
            }
            let asked = try await database.read { try $0.library.playlistsToRead(by: reading, after: 0, limit: 9) }
            #expect(asked == due && due.map(\.upstreamVersion) == ["v2"])
            let other = try #require(due.first)
            try await database.write { [new = entries([.track(.made("s2", "Lucky"))])] in
                _ = try $0.library.stage(new, of: other.id, by: reading, now: WrittenLibrary.moment(1))
                // A resumed page.
                _ = try $0.library.stage(new, of: other.id, by: reading, now: WrittenLibrary.moment(1))
            }
            var found = try await shown(in: library)
            #expect(found == ["track Airbag", "track Lucky"])
            let differs = try await database.write {
                try $0.library.showStagedEntries(of: other, by: reading, now: WrittenLibrary.moment(2))
            }
            found = try await shown(in: library)
            #expect(differs && found == ["track Lucky"])
            let kept = try await database.read { reader in
                try reader.map(
                    """
                    SELECT COUNT(*) AS entries FROM library_changes JOIN library_playlist_entries
                        ON playlist_id = item_id AND version = entries_version
                    WHERE library_changes.kind = 'changed' AND item = 'playlist'
                    """
                ) { try $0["entries"] as Int }
            }
            #expect(kept == [2])
            let left = try await database.read { try $0.library.playlistsToRead(by: reading, after: 0, limit: 9) }
            #expect(left == [])
        }
    }

    @Test("Forbidden entries are asked for again with the next version only")
    func forbidden() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let reading = try await library.reading(.spotify)
            for (version, isAsked) in [("v1", true), ("v1", false), ("v2", true)] {
                let listed = playlist(version, count: 30)
                let due = try await database.write {
                    try $0.library.apply([listed], by: reading, isWhole: false, now: WrittenLibrary.moment(1)).toRead
                }
                #expect(due.isEmpty != isAsked)
                guard let first = due.first else { continue }
                try await database.write {
                    try $0.library.setEntriesForbidden(of: first, by: reading, now: WrittenLibrary.moment(1))
                }
            }
            let counts = try await database.read { reader in
                try reader.map("SELECT entry_count FROM library_playlists") { try $0["entry_count"] as Int }
            }
            #expect(counts == [30])
        }
    }

    @Test("A renamed playlist is a change, one that was edited by its pictures alone is not")
    func renamed() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            try await library.read(playlist("v1"), [], .spotify)
            var pictured = playlist("v1")
            pictured.artworkURL = "https://pictures.example/1.jpg"
            try await library.read(pictured, [], .spotify, at: 1)
            try await library.read(playlist("v1", name: "Mixed"), [], .spotify, at: 2)
            let changes = try await library.changes()
            #expect(changes == ["added playlist Mix", "changed playlist Mixed"])
            try await library.expectSound()
        }
    }
}
