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

    @Test("A playlist with the version that was read is not read again; one without a version always is")
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

    @Test("A different number of entries is read again; readings by earlier releases have none to compare with")
    func counts() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let one = entries([.track(.made("s1"))])
            #expect(try await library.read(playlist("v1", count: 1), one, .spotify, at: 0) != nil)
            #expect(try await library.read(playlist("v1", count: 1), one, .spotify, at: 1) == nil)
            #expect(try await library.read(playlist("v1", count: 2), one, .spotify, at: 2) != nil)
            try await database.write { try $0.run("UPDATE library_playlists SET read_count = NULL") }
            #expect(try await library.read(playlist("v1", count: 3), one, .spotify, at: 3) == nil)
            #expect(try await library.read(playlist("v2", count: 3), one, .spotify, at: 4) != nil)
        }
    }

    @Test("Entries that Apple Music may show late are read again by the next sync")
    func late() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let one = entries([.track(.made("i.1"))])
            // The test's first moment.
            let changed = playlist("2023-11-14T22:13:20Z")
            try await library.read(changed, one, .appleMusic, at: 300)
            let again = try await library.read(changed, one, .appleMusic, at: 599)
            #expect(again == false)
            // This clock is behind Apple's.
            let early = try await library.read(changed, one, .appleMusic, at: -60)
            #expect(early == false)
            let late = try await library.read(changed, one, .appleMusic, at: 600)
            #expect(late == false)
            let settled = try await library.read(changed, one, .appleMusic, at: 900)
            #expect(settled == nil)
        }
    }

    @Test("New entries are shown immediately, and the change log refers to the earlier ones")
    func replaced() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            try await library.read(
                playlist("v1"), entries([.track(.made("s1")), .track(.made("s2", "Lucky"))]), .spotify)
            let reading = try await library.reading(.spotify)
            let due = try await database.write { [second = playlist("v2")] in
                try $0.playlists.storePlaylists([second], by: reading, isWhole: false, now: WrittenLibrary.moment(1))
                    .toRead
            }
            let asked = try await database.read { try $0.playlists.playlistsToRead(by: reading, after: 0, limit: 9) }
            #expect(asked == due && due.map(\.upstreamVersion) == ["v2"])
            let other = try #require(due.first)
            try await database.write { [new = entries([.track(.made("s2", "Lucky"))])] in
                _ = try $0.playlists.stageEntries(new, of: other.id, by: reading, now: WrittenLibrary.moment(1))
                // A page that is written again after a resumption.
                _ = try $0.playlists.stageEntries(new, of: other.id, by: reading, now: WrittenLibrary.moment(1))
            }
            var found = try await shown(in: library)
            #expect(found == ["track Airbag", "track Lucky"])
            let differs = try await database.write {
                try $0.playlists.showStagedEntries(of: other, by: reading, now: WrittenLibrary.moment(2))
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
            let left = try await database.read { try $0.playlists.playlistsToRead(by: reading, after: 0, limit: 9) }
            #expect(left == [])
        }
    }

    @Test("A playlist that has lost all entries is read again until two answers are equal")
    func emptied() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            // The version of each reading, its entries, and whether it was due and has changed them.
            let readings: [(String, [SourcePlaylistEntry.Content], Bool?)] = [
                ("v1", [.track(.made("s1"))], false), ("v2", [], true), ("v2", [], false), ("v2", [], nil),
                ("v3", [.track(.made("s1"))], true), ("v3", [.track(.made("s1"))], nil),
            ]
            for (index, (version, contents, expected)) in readings.enumerated() {
                let changed = try await library.read(
                    playlist(version), entries(contents), .spotify, at: Int64(index))
                #expect(changed == expected, "reading \(index)")
                let found = try await shown(in: library)
                #expect(found.count == contents.count, "reading \(index)")
            }
        }
    }

    @Test("Forbidden entries are requested again with the next version")
    func forbidden() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let reading = try await library.reading(.spotify)
            for (version, isAsked) in [("v1", true), ("v1", false), ("v2", true)] {
                let listed = playlist(version, count: 30)
                let due = try await database.write {
                    try $0.playlists.storePlaylists(
                        [listed], by: reading, isWhole: false, now: WrittenLibrary.moment(1)
                    ).toRead
                }
                #expect(due.isEmpty != isAsked)
                guard let first = due.first else { continue }
                try await database.write {
                    try $0.playlists.setEntriesForbidden(of: first, by: reading, now: WrittenLibrary.moment(1))
                }
            }
            let counts = try await database.read { reader in
                try reader.map("SELECT entry_count FROM library_playlists") { try $0["entry_count"] as Int }
            }
            #expect(counts == [30])
        }
    }

    /// Lists the playlist, and refuses its entries if they are due.
    ///
    /// - Returns: whether they were due.
    private func refuse(_ listed: SourcePlaylist, in library: WrittenLibrary, at seconds: Int64) async throws -> Bool {
        let reading = try await library.reading(.spotify)
        let now = WrittenLibrary.moment(seconds)
        return try await library.database.write { transaction in
            _ = try transaction.playlists.storePlaylists([listed], by: reading, isWhole: false, now: now)
            let due = try transaction.playlists.playlistsToRead(by: reading, after: 0, limit: 9)
            for one in due { try transaction.playlists.setEntriesForbidden(of: one, by: reading, now: now) }
            return !due.isEmpty
        }
    }

    @Test("Forbidden entries of an unchanged version are requested again after a week, whatever else has changed")
    func forbiddenForAWeek() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let week: Int64 = 7 * 86_400
            var listed = playlist("v1", count: 30)
            for (seconds, isDue) in [
                (0, true), (86_400, false), (week - 1, false), (week, true), (week + 1, false), (2 * week - 1, false),
                (2 * week, true),
                // The clock was ahead.
                (week, true),
            ] as [(Int64, Bool)] {
                listed.artworkURL = "https://pictures.example/\(seconds).jpg"
                #expect(try await refuse(listed, in: library, at: seconds) == isDue, "\(seconds)")
            }
            let one = entries([.track(.made("s1"))])
            // The service finally returns them.
            let isChange = try await library.read(listed, one, .spotify, at: 3 * week)
            #expect(isChange == true)
            #expect(try await shown(in: library) == ["track Airbag"])
            #expect(try await library.read(listed, one, .spotify, at: 4 * week - 1) == nil)
            // They are now read again like those of any playlist.
            #expect(try await library.read(listed, one, .spotify, at: 4 * week) == false)
            try await library.expectSound()
        }
    }

    @Test("Forbidden entries are requested again once the playlist has another owner, or collaborators")
    func forbiddenToStrangers() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            var listed = playlist("v1", count: 30)
            (listed.ownerID, listed.isCollaborative) = ("eve", false)
            #expect(try await refuse(listed, in: library, at: 0))
            #expect(try await !refuse(listed, in: library, at: 1))
            listed.isCollaborative = true
            #expect(try await refuse(listed, in: library, at: 2))
            #expect(try await !refuse(listed, in: library, at: 3))
            listed.ownerID = "ada"
            #expect(try await refuse(listed, in: library, at: 4))
            #expect(try await !refuse(listed, in: library, at: 5))
        }
    }

    @Test("Forbidden entries of the user's own playlist are requested by the next sync")
    func forbiddenToTheOwner() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            var listed = playlist("v1", count: 30)
            // An id of the account.
            listed.ownerID = WrittenLibrary.ownerID
            for seconds in [0, 1, 86_400] as [Int64] {
                let isAsked = try await refuse(listed, in: library, at: seconds)
                #expect(isAsked, "\(seconds)")
            }
            #expect(try await library.read(listed, entries([.track(.made("s1"))]), .spotify, at: 86_401) == true)
            #expect(try await shown(in: library) == ["track Airbag"])
        }
    }

    @Test("Forbidden entries are requested again once after a new consent")
    func forbiddenUntilConsent() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let listed = playlist("v1", count: 30)
            #expect(try await refuse(listed, in: library, at: 0))
            func connect(_ source: MusicSource) async throws {
                _ = try await database.write { transaction in
                    try transaction.syncs.submitSync(
                        afterConnecting: source, userID: library.userID, interval: nil, now: WrittenLibrary.moment(1)
                    ) { _ in UUIDv7.next() }
                }
            }
            try await connect(.appleMusic)
            #expect(try await !refuse(listed, in: library, at: 2))
            try await connect(.spotify)
            // A sync that ends before it requests them leaves that to the next one.
            let reading = try await library.reading(.spotify)
            _ = try await database.write {
                try $0.playlists.storePlaylists([listed], by: reading, isWhole: false, now: WrittenLibrary.moment(3))
            }
            #expect(try await refuse(listed, in: library, at: 4))
            #expect(try await !refuse(listed, in: library, at: 5))
        }
    }

    @Test("A renamed playlist is a change; one of which only the picture was edited is not")
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
