import Model
import TestSupport
import Testing

@testable import Storage

@Suite("The step to sessions")
struct SessionMigrationTests {
    @Test("Users and tokens from before it stay, tokens get a name and an id of their time")
    func tokensSurvive() async throws {
        let folder = try TemporaryFolder()
        let database = try Database.open(path: folder.file("test.sqlite"))
        defer { database.close() }
        let created = Timestamp(microseconds: 1_795_000_000_123_456)
        try await database.write { transaction in
            try transaction.execute(
                "CREATE TABLE schema_migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)"
            )
            for migration in Migration.all where migration.number < Migration.sessions.number {
                for statement in migration.statements { try transaction.execute(statement) }
                try transaction.execute(
                    "INSERT INTO schema_migrations VALUES (\(migration.number), \(migration.name), 0)")
            }
            for name in ["ada", "bob"] {
                try transaction.execute(
                    "INSERT INTO users (id, name, created_at) VALUES (\(name), \(name), \(created))")
                try transaction.execute(
                    "INSERT INTO tokens (hash, user_id, created_at) VALUES (\("hash of " + name), \(name), \(created))")
            }
        }
        #expect(try await database.migrate().first == "sessions")

        let (user, tokens) = try await database.read { reader in
            (
                try reader.user(tokenHash: "hash of bob", now: .now())?.user,
                try ["ada", "bob"].flatMap { try reader.tokens(ofUser: $0) }
            )
        }
        #expect(user == UserRecord(id: "bob", name: "bob", isAdmin: false, createdAt: created))
        #expect(tokens.map(\.name) == ["first", "first"] && tokens.map(\.userID) == ["ada", "bob"])
        #expect(tokens.allSatisfy { $0.createdAt == created && $0.lastUsedAt == nil })
        #expect(Set(tokens.map(\.id)).count == 2)
        let time = UUIDv7.lowerBound(of: created).prefix(13)
        for token in tokens {
            #expect(UUIDv7.isWellFormed(token.id) && token.id.hasPrefix(time))
            #expect(Array(token.id)[14] == "7" && Array(token.id)[19] == "8")
        }
    }
}
