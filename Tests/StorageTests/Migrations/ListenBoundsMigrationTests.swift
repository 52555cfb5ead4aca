import TestSupport
import Testing

@testable import Storage

@Suite("The migration to bounds of listens")
struct ListenBoundsMigrationTests {
    @Test("What earlier releases stored is counted in bytes, in all texts that later releases count")
    func counts() async throws {
        try await withDatabase(before: .listenBounds) { database, _ in
            try await database.write { transaction in
                for (id, person) in [(1, "ada"), (2, "bob")] {
                    try transaction.run(
                        """
                        INSERT INTO listen_histories (user_id, id, listens, change, resolved_version, resolved_song)
                        VALUES (\(person), \(id), 0, 0, 0, 0)
                        """)
                }
                try transaction.run(
                    """
                    INSERT INTO listen_songs (history_id, id, said_key, title, artist, album, isrc, recording_mbid,
                        spotify_id, apple_music_id, plays, change)
                    VALUES (1, 1, 1, 'Ärger', '日本', 'Ω', 'isrc', 'mbid', 'spot', 'appl', 0, 0),
                        (1, 2, 2, 'Two', 'Ann', NULL, NULL, NULL, NULL, NULL, 0, 0)
                    """)
                try transaction.run("INSERT INTO listen_clients (history_id, id, name) VALUES (1, 1, 'Müsli')")
                try transaction.run(
                    "INSERT INTO listen_details (history_id, id, said_key, details) VALUES (1, 1, 1, '{\"é\":1}')")
            }
            try await database.migrate()
            let bytes = try await database.read { reader in
                try reader.map("SELECT said_bytes FROM listen_histories ORDER BY id") { try $0["said_bytes"] as Int }
            }
            let texts = ["Ärger", "日本", "Ω", "isrc", "mbid", "spot", "appl", "Two", "Ann", "Müsli", #"{"é":1}"#]
            #expect(bytes == [texts.reduce(0) { $0 + $1.utf8.count }, 0])
        }
    }
}
