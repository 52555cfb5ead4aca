import Model
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync
@testable import LibraryWriting

@Suite("Writing playlists and their entries")
struct WritingPlaylistsTests {
    @Test("Entries keep their positions; only tracks become tracks, which are not in the library")
    func kindsOfEntries() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("s1")], .spotify)
            try await library.read(
                .made("v1"),
                SourcePlaylistEntry.made([
                    .track(.made("s1")), .local(title: "Demo"), .track(.made("s2", "Let Down")),
                    .episode(title: "News"), .unavailable(title: nil), .track(.made("s1")),
                ]), .spotify)
            let found = try await library.shownEntries()
            #expect(
                found == [
                    "track Airbag", "local Demo", "track Let Down", "episode News", "unavailable ", "track Airbag",
                ])
            let saved = try await library.tracks().map(\.values.isSaved)
            #expect(saved == [true, false])
            try await library.expectSound()
        }
    }

    @Test("A playlist with the version that was read is not read again; one without a version always is")
    func unchangedVersions() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let one = SourcePlaylistEntry.made([.track(.made("s1"))])
            try await library.read(.made("v1"), one, .spotify)
            let rows = try await library.rows()
            let unchanged = try await library.read(.made("v1"), one, .spotify, at: 1)
            #expect(unchanged == nil)
            let after = try await library.rows()
            #expect(after == rows)
            let equal = try await library.read(.made("v2"), one, .spotify, at: 2)
            #expect(equal == false)
            let unversioned = try await library.read(.made(nil), one, .spotify, at: 3)
            #expect(unversioned == false)
            let versions = try await library.rows()["library_playlist_entries"]?.count
            #expect(versions == 1)
        }
    }

    @Test("A different number of entries is read again; a reading without a number has none to compare with")
    func changedCounts() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let one = SourcePlaylistEntry.made([.track(.made("s1"))])
            #expect(try await library.read(.made("v1", count: 1), one, .spotify, at: 0) != nil)
            #expect(try await library.read(.made("v1", count: 1), one, .spotify, at: 1) == nil)
            #expect(try await library.read(.made("v1", count: 2), one, .spotify, at: 2) != nil)
            try await database.write { try $0.run("UPDATE library_playlists SET read_count = NULL") }
            #expect(try await library.read(.made("v1", count: 3), one, .spotify, at: 3) == nil)
            #expect(try await library.read(.made("v2", count: 3), one, .spotify, at: 4) != nil)
        }
    }

    @Test("Entries that Apple Music may show late are read again by the next sync")
    func lateEntries() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let one = SourcePlaylistEntry.made([.track(.made("i.1"))])
            // The test's first moment.
            let changed = SourcePlaylist.made("2023-11-14T22:13:20Z")
            try await library.read(changed, one, .appleMusic, at: 300)
            let again = try await library.read(changed, one, .appleMusic, at: 599)
            #expect(again == false)
            // This clock is behind Apple's.
            let early = try await library.read(changed, one, .appleMusic, at: -60)
            #expect(early == false)
            let late = try await library.read(changed, one, .appleMusic, at: 600)
            #expect(late == false)
            let unchanged = try await library.read(changed, one, .appleMusic, at: 900)
            #expect(unchanged == nil)
        }
    }

    @Test("New entries are shown immediately, and the change log refers to the earlier ones")
    func replacedEntries() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.read(
                .made("v1"), SourcePlaylistEntry.made([.track(.made("s1")), .track(.made("s2", "Lucky"))]), .spotify)
            let scan = try await library.scan(.spotify)
            let due = try await database.write { [second = SourcePlaylist.made("v2")] in
                try $0.playlists.storePlaylists([second], by: scan, isWhole: false, now: TestLibrary.moment(1))
                    .toRead
            }
            let asked = try await database.read { try $0.playlists.playlistsToRead(by: scan, after: 0, limit: 9) }
            #expect(asked == due && due.map(\.upstreamVersion) == ["v2"])
            let other = try #require(due.first)
            try await database.write { [new = SourcePlaylistEntry.made([.track(.made("s2", "Lucky"))])] in
                _ = try $0.playlists.stageEntries(new, of: other.id, by: scan, now: TestLibrary.moment(1))
                // A page that is written again after a resumption.
                _ = try $0.playlists.stageEntries(new, of: other.id, by: scan, now: TestLibrary.moment(1))
            }
            var found = try await library.shownEntries()
            #expect(found == ["track Airbag", "track Lucky"])
            let differs = try await database.write {
                try $0.playlists.showStagedEntries(of: other, by: scan, now: TestLibrary.moment(2))
            }
            found = try await library.shownEntries()
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
            let left = try await database.read { try $0.playlists.playlistsToRead(by: scan, after: 0, limit: 9) }
            #expect(left == [])
        }
    }

    @Test("A playlist that has lost all entries is read again until two answers are equal")
    func emptiedPlaylist() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            // The version of each scan, its entries, and whether it was due and has changed them.
            let readings: [(String, [SourcePlaylistEntry.Content], Bool?)] = [
                ("v1", [.track(.made("s1"))], false), ("v2", [], true), ("v2", [], false), ("v2", [], nil),
                ("v3", [.track(.made("s1"))], true), ("v3", [.track(.made("s1"))], nil),
            ]
            for (index, (version, contents, expected)) in readings.enumerated() {
                let changed = try await library.read(
                    .made(version), SourcePlaylistEntry.made(contents), .spotify, at: Int64(index))
                #expect(changed == expected, "reading \(index)")
                let found = try await library.shownEntries()
                #expect(found.count == contents.count, "reading \(index)")
            }
        }
    }

    @Test("A renamed playlist is a change; one of which only the picture was edited is not")
    func renamedPlaylist() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.read(.made("v1"), [], .spotify)
            var pictured = SourcePlaylist.made("v1")
            pictured.artworkURL = "https://pictures.example/1.jpg"
            try await library.read(pictured, [], .spotify, at: 1)
            try await library.read(.made("v1", name: "Mixed"), [], .spotify, at: 2)
            let changes = try await library.changes()
            #expect(changes == ["added playlist Mix", "changed playlist Mixed"])
            try await library.expectSound()
        }
    }
}
