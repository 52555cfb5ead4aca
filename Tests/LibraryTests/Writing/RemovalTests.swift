import Model
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync
@testable import LibraryWriting
@testable import Storage

@Suite("Removing a disconnected source")
struct RemovalTests {
    private func fill(_ library: TestLibrary) async throws {
        let songs: [SourceTrack] = (0..<6).map { .made("i.\($0)", "Title \($0)", added: $0 + 100) }
        try await library.save(songs, .appleMusic)
        let saved: [SourceTrack] = (Int64(3)..<10).map { .made("s\($0)", "Title \($0)", added: $0) }
        try await library.save(saved, .spotify, isWhole: true)
        let scan = try await library.scan(.spotify)
        try await library.database.write {
            _ = try $0.albums.storeAlbums(
                [SourceAlbum(sourceID: "a", name: "OK Computer", artist: "Radiohead")], by: scan, isWhole: true,
                now: TestLibrary.moment(0))
            try $0.scans.storeFetchedPage(
                "{}", at: FetchedPageSlot(offset: 50, place: 0), by: scan, now: TestLibrary.moment(0))
        }
        for source in MusicSource.services {
            let entries = (2..<12).map { number in
                SourcePlaylistEntry(
                    position: number - 2, content: .track(.made("\(source.rawValue)\(number)", "Entry \(number)")),
                    addedAt: nil)
            }
            try await library.read(SourcePlaylist(sourceID: "p", name: "Mix"), entries, source)
        }
    }

    @Test("Nothing of the source is left, and tracks of the other one have its values", arguments: [1, 4, 500])
    func nothingLeft(limit: Int) async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await fill(library)
            let said = try await database.read {
                try $0.sourceRemovals.removalCounts(of: .spotify, userID: library.userID)
            }
            let before = try await library.tracks()
            // The earlier moments are Spotify's.
            #expect(before.first { $0.values.title == "Title 3" }?.values.addedAt == TestLibrary.moment(3))
            try await library.remove(.spotify, limit: limit)

            let rows = try await library.rows()
            for table in TestLibrary.tables where !["library_keys", "libraries"].contains(table) {
                let left = try await database.read { reader in
                    let columns = try reader.map(
                        .onlySQLite("SELECT name FROM pragma_table_info(\(table)) WHERE name = 'source'")
                    ) { try $0["name"] as String }
                    if columns.isEmpty { return 0 }
                    return try reader.rows(SQL(stringLiteral: "SELECT 1 FROM \(table) WHERE source = 2")).count
                }
                #expect(left == 0, "\(table)")
            }
            #expect(rows["library_playlist_entries"]?.count == 10)
            let tracks = try await library.tracks()
            #expect(before.count - tracks.count == said.tracks && said.playlists == 1 && said.albums == 1)
            #expect(tracks.allSatisfy { $0.values.sources == 1 })
            #expect(tracks.first { $0.values.title == "Title 3" }?.values.addedAt == TestLibrary.moment(103))
            try await library.expectSound()

            let due = try await database.read { try $0.sourceRemovals.sourcesToRemove(limit: 10).count }
            #expect(due == 0)
            let again = try await database.write {
                try $0.sourceRemovals.removeStep(
                    of: .spotify, libraryID: library.libraryID, userID: library.userID, limit: 10,
                    now: TestLibrary.moment(9))
            }
            #expect(again == 0)
        }
    }

    @Test("What a new connection reads in the meantime is kept")
    func connectedAgain() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await fill(library)
            try await database.write {
                try $0.sourceRemovals.scheduleRemoval(
                    of: .spotify, userID: library.userID, now: TestLibrary.moment(5))
            }
            let due = try await database.read { try $0.sourceRemovals.sourcesToRemove(limit: 10).map(\.source) }
            #expect(due == [.spotify])
            let step: @Sendable (WriteTransaction) throws -> Int = {
                try $0.sourceRemovals.removeStep(
                    of: .spotify, libraryID: library.libraryID, userID: library.userID, limit: 2,
                    now: TestLibrary.moment(9))
            }
            _ = try await database.write(step)
            // The same account again: two of its tracks, and its playlist with two entries.
            try await library.save([.made("s3", "Title 3"), .made("s9", "Title 9")], .spotify, at: 6)
            let entries = (0..<2).map {
                SourcePlaylistEntry(position: $0, content: .track(.made("s\($0 + 8)", "Title \($0 + 8)")), addedAt: nil)
            }
            try await library.read(SourcePlaylist(sourceID: "p", name: "Mix"), entries, .spotify, at: 6)
            while try await database.write(step) > 0 {}
            let ids = try await library.tracks().flatMap(\.parts).filter { $0.source == .spotify }
                .map(\.track.sourceID)
            #expect(Set(ids) == ["s3", "s8", "s9"])
            try await library.expectSound()
        }
    }

    @Test("Entries from before the removal are deleted with their changes, even if a new connection has the playlist")
    func replacedEntries() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            func read(_ titles: [String], at seconds: Int64) async throws {
                let entries = titles.enumerated().map { position, title in
                    SourcePlaylistEntry(position: position, content: .local(title: title), addedAt: nil)
                }
                try await library.read(SourcePlaylist(sourceID: "p", name: "Mix"), entries, .spotify, at: seconds)
            }
            try await read(["A", "B", "C"], at: 1)
            try await read(["D", "E"], at: 2)
            try await database.write {
                try $0.sourceRemovals.scheduleRemoval(
                    of: .spotify, userID: library.userID, now: TestLibrary.moment(5))
            }
            try await read(["F"], at: 6)
            var counts = try await library.entryCounts()
            #expect(counts == [1: 3, 2: 2, 3: 1])
            while try await database.write({
                try $0.sourceRemovals.removeStep(
                    of: .spotify, libraryID: library.libraryID, userID: library.userID, limit: 2,
                    now: TestLibrary.moment(9))
            }) > 0 {}
            // The change that replaced the second version belongs to the new connection.
            counts = try await library.entryCounts()
            #expect(counts == [2: 2, 3: 1])
            let changes = try await library.changes()
            #expect(changes == ["changed playlist Mix"])
        }
    }

    @Test("Removing both sources leaves an empty library")
    func removalOfBothSources() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await fill(library)
            for source in MusicSource.services { try await library.remove(source, limit: 5) }
            let rows = try await library.rows()
            for table in TestLibrary.tables where !["library_keys", "libraries"].contains(table) {
                #expect(rows[table] == [], "\(table)")
            }
            try await library.expectSound()
        }
    }

    @Test("Another user's library does not change")
    func libraryOfAnotherUser() async throws {
        try await withDatabase { database, _ in
            let (library, other) = (
                try await TestLibrary.new(in: database), try await TestLibrary.new(in: database, name: "bob")
            )
            try await fill(library)
            try await fill(other)
            let before = try await other.tracks().map(\.parts)
            try await library.remove(.spotify)
            let after = try await other.tracks().map(\.parts)
            #expect(after == before)
            try await other.expectSound()
        }
    }
}
