import Model
import TestSupport
import Testing

@testable import LibraryEdits
@testable import Storage

@Suite("Deleting old copies of playlists")
struct CopyPruningTests {
    private func insert(
        _ id: Int64, of userID: String, _ state: String, finishedAt: Timestamp?, entries: Int, in database: Database
    ) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                INSERT INTO library_copies (user_id, id, playlist_id, entries_version, name, target, state, total,
                    repeats, created_at, finished_at, change)
                VALUES (\(userID), \(id), 1, 1, 'Mix', 2, \(state), \(entries), 0, 0, \(finishedAt), \(id))
                """)
            for position in 0..<entries {
                try transaction.run(
                    """
                    INSERT INTO library_copy_entries (user_id, copy_id, position, state, title, artist, tried, nearest)
                    VALUES (\(userID), \(id), \(position), 'placed', 'One', 'Ada', '[]', '[]')
                    """)
            }
        }
    }

    @Test("Copies that ended before the cutoff are deleted with their entries in steps; later ones and choices stay")
    func deletionOfOldCopies() async throws {
        try await withDatabase { database, _ in
            let end = TestLibrary.moment(100)
            try await insert(1, of: "ada", "complete", finishedAt: TestLibrary.moment(1), entries: 5, in: database)
            try await insert(2, of: "ada", "complete", finishedAt: end, entries: 2, in: database)
            try await insert(3, of: "ada", "writing", finishedAt: nil, entries: 2, in: database)
            try await insert(1, of: "bob", "failed", finishedAt: TestLibrary.moment(2), entries: 1, in: database)
            try await database.write {
                try $0.run(
                    """
                    INSERT INTO library_copy_choices (user_id, source, source_id, target, reference)
                    VALUES ('ada', 1, 'a', 2, 'b')
                    """)
            }
            let due = try await database.read { try $0.copies.unpruned(finishedBefore: .unguarded(end), limit: 9) }
            #expect(due.map(\.userID) == ["ada", "bob"])
            let rest = try await database.read {
                try $0.copies.unpruned(finishedBefore: .unguarded(end), after: due.first, limit: 9)
            }
            #expect(rest == Array(due.dropFirst()))
            var steps: [Int] = []
            for copy in due {
                while case let count = try await database.write({ try $0.copies.prune(copy, limit: 3) }), count > 0 {
                    steps.append(count)
                }
            }
            #expect(steps == [3, 3, 2])
            func count(_ statement: SQL) async throws -> Int {
                try await database.read { try $0.row(statement)?["count"] ?? 0 }
            }
            #expect(try await count("SELECT COUNT(*) AS count FROM library_copies WHERE id IN (2, 3)") == 2)
            #expect(try await count("SELECT COUNT(*) AS count FROM library_copies") == 2)
            #expect(try await count("SELECT COUNT(*) AS count FROM library_copy_entries") == 4)
            #expect(try await count("SELECT COUNT(*) AS count FROM library_copy_choices") == 1)
        }
    }
}
