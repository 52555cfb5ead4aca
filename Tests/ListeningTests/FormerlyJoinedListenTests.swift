import Model
import Storage
import TestSupport
import Testing

@testable import Listening

@Suite("Listens that an earlier release joined in a crowd", .timeLimit(.minutes(5)))
struct FormerlyJoinedListenTests {
    @Test("Two programs of one source that an earlier release joined in a crowd are separated and deleted together")
    func joinedPrograms() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            _ = try await history.recordInParts(NewObservation.crowd(0..<500))
            /// Joins two observations at different times, as releases without the bounds did.
            func join(_ title: String, at seconds: Double) async throws -> LibraryID {
                let two = [("three", 0.0), ("four", 30)].map { client, late in
                    NewObservation.play(title, by: "Both", at: seconds + late, client: client)
                }
                _ = try await history.recordInParts(two, import: LibraryID(key: 5))
                return try await database.write { transaction in
                    let ids = try transaction.map(
                        """
                        SELECT l.id FROM listens l
                            JOIN listen_songs s ON s.history_id = l.history_id AND s.id = l.song_id
                        WHERE s.title = \(title) ORDER BY l.started_at
                        """
                    ) { try $0["id"] as Int64 }
                    try transaction.run(
                        "UPDATE listen_observations SET listen_id = \(ids[0]) WHERE listen_id = \(ids[1])")
                    try transaction.run("DELETE FROM listens WHERE id = \(ids[1])")
                    return LibraryID(key: ids[0])
                }
            }
            let deleted = try await join("Deleted", at: 100)
            #expect(
                try await database.write {
                    try $0.listening.deleteListen(deleted, userID: history.userID, now: TestHistory.first)
                })
            #expect(try await history.shown().allSatisfy { $0.title != "Deleted" })
            _ = try await join("Kept", at: 200)
            // The observation that is shown is removed, and the other one becomes a separate listen.
            try await database.write { transaction in
                try transaction.run(
                    "UPDATE listen_observations SET import_id = NULL WHERE started_at = \(TestHistory.moment(230))")
            }
            try await history.remove(.importing(LibraryID(key: 5)))
            #expect(try await history.shown().filter { $0.title == "Kept" }.map(\.seconds) == [230])
        }
    }

    @Test("Listens that an earlier release joined in a crowd are separated when one of their sources is removed")
    func joinedBefore() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            _ = try await history.recordInParts(NewObservation.crowd(0..<500))
            let sources = [ListenSource.listenBrainzFile, .lastfm]
            let two = sources.map { NewObservation.play("Two", at: 9, $0, duration: nil) }
            _ = try await history.recordInParts(two)
            try await database.write { transaction in
                let ids = try transaction.map(
                    "SELECT id FROM listens WHERE sources <> \(ListenSource.listenBrainz.bit) ORDER BY id"
                ) { try $0["id"] as Int64 }
                try transaction.run(
                    "UPDATE listen_observations SET listen_id = \(ids[0]) WHERE listen_id = \(ids[1])")
                try transaction.run("DELETE FROM listens WHERE id = \(ids[1])")
                let bits = sources.reduce(0) { $0 | $1.bit }
                try transaction.run("UPDATE listens SET sources = \(bits) WHERE id = \(ids[0])")
            }
            try await history.remove(.source(.listenBrainzFile))
            let left = try await history.shown().filter { $0.title == "Two" }
            #expect(left.map(\.sources) == [[.lastfm]])
        }
    }
}
