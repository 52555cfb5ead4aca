import Model
import TestSupport
import Testing

@testable import Storage

@Suite("The migration to session ends")
struct SessionEndMigrationTests {
    private static let day: Int64 = 86_400_000_000

    @Test("Earlier sessions and tokens remain valid, sessions for ninety days or until their token ends")
    func existing() async throws {
        try await withDatabase(before: .sessionEnds) { database, _ in
            let now: Int64 = 1_795_000_000_000_000
            try await database.write { transaction in
                try transaction.run(
                    "INSERT INTO users (id, name, name_key, created_at) VALUES ('ada', 'ada', 'ada', 0)")
                for (hash, end) in [("for ever", nil), ("brief", now + 5 * Self.day)] as [(String, Int64?)] {
                    try transaction.run(
                        """
                        INSERT INTO tokens (hash, id, user_id, name, created_at, expires_at)
                        VALUES (\(hash), \(hash), 'ada', \(hash), 0, \(end))
                        """)
                }
                // The session's age in days and the token with which it was begun; each was used just now.
                let begun: [(Int64, String?)] = [(1, nil), (80, nil), (100, nil), (1, "for ever"), (1, "brief")]
                for (age, token) in begun {
                    try transaction.run(
                        """
                        INSERT INTO sessions (hash, id, user_id, token_hash, created_at, last_used_at, expires_at)
                        VALUES (\("\(age) \(token ?? "")"), \("\(age) \(token ?? "")"), 'ada', \(token),
                            \(now - age * Self.day), \(now), \(now + 30 * Self.day))
                        """)
                }
            }
            #expect(try await database.migrate().first == "session ends")
            let sessions = try await database.read { reader in
                try reader.rows("SELECT hash, expires_at, ends_at FROM sessions").reduce(into: [String: [Int64]]()) {
                    $0[try $1["hash"]] = [
                        (try $1["expires_at"] - now) / Self.day, (try $1["ends_at"] - now) / Self.day,
                    ]
                }
            }
            #expect(
                sessions == [
                    "1 ": [30, 89], "80 ": [10, 10], "100 ": [-10, -10], "1 for ever": [30, 89], "1 brief": [5, 5],
                ])
            let tokens = try await database.read { reader in
                try reader.rows("SELECT made_with FROM tokens").map { try $0["made_with"] as String? }
            }
            #expect(tokens == [nil, nil])
        }
    }
}
