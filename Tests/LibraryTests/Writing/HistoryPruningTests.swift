import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting
@testable import Storage

@Suite("Deleting old changes of a library")
struct HistoryPruningTests {
    /// Creates a playlist with four versions, each with a different number of entries: versions 1 and 2 were replaced
    /// at the moments 10 and 20, version 3 is shown, and version 4 is being read.
    private func fill(_ library: TestLibrary) async throws {
        for (version, count) in [5, 4, 3].enumerated() {
            try await library.read(
                SourcePlaylist(sourceID: "p", name: "Mix"), entries(count, of: version), .spotify,
                at: Int64(version) * 10)
        }
        let scan = try await library.scan(.spotify)
        let staged = entries(2, of: 3)
        try await library.database.write { transaction in
            let now = TestLibrary.moment(30)
            let due = try transaction.playlists.storePlaylists(
                [SourcePlaylist(sourceID: "p", name: "Mix")], by: scan, isWhole: false, now: now
            ).toRead
            for playlist in due {
                _ = try transaction.playlists.stageEntries(staged, of: playlist.id, by: scan, now: now)
            }
        }
    }

    private func entries(_ count: Int, of version: Int) -> [SourcePlaylistEntry] {
        (0..<count).map { position in
            let track = SourceTrack.made("s\(version)-\(position)", "Title \(version)-\(position)")
            return SourcePlaylistEntry(position: position, content: .track(track), addedAt: nil)
        }
    }

    private func prune(_ library: TestLibrary, before seconds: Int64, limit: Int) async throws -> Int {
        try await library.database.write {
            try $0.libraryChanges.pruneHistory(
                ofLibrary: library.libraryID, before: .unguarded(TestLibrary.moment(seconds)), limit: limit)
        }
    }

    /// Prunes until nothing is left to delete.
    private func pruneAll(_ library: TestLibrary, before seconds: Int64, limit: Int) async throws {
        while true {
            let count = try await prune(library, before: seconds, limit: limit)
            #expect(count <= limit)
            if count == 0 { return }
        }
    }

    @Test("Changes are deleted with the entries that they replaced, in steps of any size", arguments: [1, 3, 500])
    func deletionInSteps(limit: Int) async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await fill(library)
            var counts = try await library.entryCounts()
            #expect(counts == [1: 5, 2: 4, 3: 3, 4: 2])

            try await pruneAll(library, before: 20, limit: limit)
            counts = try await library.entryCounts()
            #expect(counts == [2: 4, 3: 3, 4: 2])
            let changes = try await library.changes()
            #expect(changes == ["changed playlist Mix"])

            try await pruneAll(library, before: 1_000, limit: limit)
            counts = try await library.entryCounts()
            #expect(counts == [3: 3, 4: 2])
            let none = try await library.changes()
            #expect(none.isEmpty)
            try await library.expectSound()
        }
    }

    @Test("After every step, each replaced entry is referred to by a change")
    func referencesAfterEveryStep() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await fill(library)
            while try await prune(library, before: 1_000, limit: 2) > 0 {
                let unnamed = try await database.read { reader in
                    try reader.rows(
                        """
                        SELECT version FROM library_playlist_entries JOIN library_playlists ON id = playlist_id
                        WHERE version < library_playlists.entries_version AND NOT EXISTS (
                            SELECT 1 FROM library_changes WHERE item_id = playlist_id
                                AND library_changes.entries_version = version)
                        """
                    ).count
                }
                #expect(unnamed == 0)
            }
        }
    }

    @Test("Other libraries and later changes are kept")
    func otherChangesRemain() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let other = try await TestLibrary.new(in: database, name: "bob")
            for each in [library, other] { try await fill(each) }
            let before = try await other.entryCounts()
            let earliest = try await database.read { try $0.libraryChanges.earliestChanges(afterLibrary: 0, limit: 10) }
            #expect(earliest.map(\.libraryID) == [library.libraryID, other.libraryID])
            #expect(earliest.map(\.at) == [TestLibrary.moment(0), TestLibrary.moment(0)])

            try await pruneAll(library, before: 20, limit: 100)
            let after = try await other.entryCounts()
            #expect(after == before)
            let left = try await database.read {
                try $0.libraryChanges.earliestChanges(afterLibrary: library.libraryID - 1, limit: 1)
            }
            #expect(left.map(\.at) == [TestLibrary.moment(20)])
            try await pruneAll(library, before: 1_000, limit: 100)
            let empty = try await database.read {
                try $0.libraryChanges.earliestChanges(afterLibrary: library.libraryID - 1, limit: 1)
            }
            #expect(empty.map(\.at) == [nil])
        }
    }
}
