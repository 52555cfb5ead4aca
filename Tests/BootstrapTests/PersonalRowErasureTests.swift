import Composition
import Bootstrap
import Domains
import Listening
import Model
import TestSupport
import Testing

@testable import Storage

@Suite("Erasing personal rows")
struct PersonalRowErasureTests {
    @Test("A user's rows are deleted in batches, and no other user's rows are")
    func deletionInBatches() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                for owner in ["ada", "bob"] {
                    for rank in 0..<5 {
                        try transaction.run(
                            """
                            INSERT INTO ranked_artists (user_id, id, rank, name)
                            VALUES (\(owner), \("a\(rank)"), \(rank), 'Air')
                            """)
                        let search = "\(owner)-\(rank)"
                        try transaction.run(
                            """
                            INSERT INTO concert_searches (id, user_id, kind, created_at, change)
                            VALUES (\(search), \(owner), 'artists', 0, 0)
                            """)
                        try transaction.run(
                            """
                            INSERT INTO concert_search_subjects (search_id, rank, artist_id, name, subject_key)
                            VALUES (\(search), 1, 'a', 'Air', 'air')
                            """)
                    }
                }
            }
            let names = ["ranked_artists", "concert_search_subjects", "concert_searches"]
            let writes = SteppedWrites(database, checkpoints: true, size: StepSize(units: 1, maximum: 1))
            #expect(try await PersonalTables(of: .all).eraseRows(of: "ada", in: database, by: writes))
            // Rows of a search are deleted with the search.
            #expect(writes.progress.steps >= 5 * (names.count - 1))
            for name in names {
                let left = try await database.read { try $0.rows(SQL(stringLiteral: "SELECT 1 FROM \(name)")).count }
                #expect(left == 5, "\(name)")
            }
        }
    }

    @Test("A person's history of listens is erased row by row, and nobody else's is")
    func erasureOfListens() async throws {
        try await withDatabase { database, _ in
            let song = SongDescription(title: "One", artist: "Ada")
            for owner in ["ada", "bob"] {
                let plays = (0..<40).map { number in
                    NewObservation(
                        source: .listenBrainz, song: song,
                        time: Timestamp(microseconds: 1_700_000_000_000_000 + number * 600_000_000), client: "player",
                        details: #"{"number":\#(number)}"#)
                }
                _ = try await database.write { try $0.listening.record(plays, userID: owner, now: .now()) }
            }
            let writes = SteppedWrites(database, checkpoints: true, size: StepSize(units: 1, maximum: 1))
            #expect(try await PersonalTables(of: .all).eraseRows(of: "ada", in: database, by: writes))
            // A listen, its observation and its details; each step deletes one row.
            #expect(writes.progress.steps >= 3 * 40)
            for name in ["listens", "listen_observations", "listen_details"] {
                let left = try await database.read { try $0.rows(SQL(stringLiteral: "SELECT 1 FROM \(name)")).count }
                #expect(left == 40, "\(name)")
            }
            let histories = try await database.read { try $0.rows("SELECT 1 FROM listen_histories").count }
            #expect(histories == 1)
        }
    }
}
