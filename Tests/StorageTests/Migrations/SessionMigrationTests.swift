import Model
import TestSupport
import Testing

@testable import Storage

@Suite("The migration to sessions")
struct SessionMigrationTests {
    @Test("Earlier users and tokens remain; tokens get a name and an id with their time")
    func tokensSurvive() async throws {
        try await withDatabase(before: .sessions) { database, _ in
            let created = Timestamp(microseconds: 1_795_000_000_123_456)
            try await database.write { transaction in
                for name in ["ada", "bob"] {
                    try transaction.run(
                        "INSERT INTO users (id, name, created_at) VALUES (\(name), \(name), \(created))")
                    try transaction.run(
                        """
                        INSERT INTO tokens (hash, user_id, created_at)
                        VALUES (\("hash of " + name), \(name), \(created))
                        """)
                }
            }
            #expect(try await database.migrate().first == "sessions")

            let (users, tokens) = try await database.read { reader in
                (
                    try reader.rows("SELECT id, name, is_admin, created_at FROM users ORDER BY id"),
                    try reader.rows(
                        "SELECT id, hash, user_id, name, created_at, last_used_at FROM tokens ORDER BY user_id")
                )
            }
            for (name, user) in zip(["ada", "bob"], users) {
                #expect(try user["id"] == name && user["name"] == name && user["created_at"] == created)
                #expect(try user["is_admin"] == false)
            }
            let ids: [String] = try tokens.map { try $0["id"] }
            #expect(users.count == 2 && tokens.count == 2 && Set(ids).count == 2)
            let time = UUIDv7.lowerBound(of: created).prefix(13)
            for (name, token) in zip(["ada", "bob"], tokens) {
                #expect(try token["user_id"] == name && token["hash"] == "hash of \(name)" && token["name"] == "first")
                #expect(try token["created_at"] == created && token["last_used_at"] == Timestamp?.none)
            }
            for id in ids {
                #expect(UUIDv7.isWellFormed(id) && id.hasPrefix(time))
                #expect(Array(id)[14] == "7" && Array(id)[19] == "8")
            }
        }
    }
}
