import Model

/// A person who uses this installation.
package struct UserRecord: Sendable, Equatable {
    package var id: String
    package var name: String
    package var createdAt: Timestamp

    init(row: Row) throws {
        id = try row["id"]
        name = try row["name"]
        createdAt = try row["created_at"]
    }
}

extension SQLReader {
    package func user(tokenHash: String) throws -> UserRecord? {
        try row(
            """
            SELECT users.id, users.name, users.created_at FROM tokens JOIN users ON users.id = tokens.user_id
            WHERE tokens.hash = \(tokenHash)
            """
        ).map(UserRecord.init)
    }

    package func user(named name: String) throws -> UserRecord? {
        try row("SELECT id, name, created_at FROM users WHERE name = \(name)").map(UserRecord.init)
    }
}

extension WriteTransaction {
    package func insertUser(id: String, name: String, now: Timestamp) throws {
        try execute("INSERT INTO users (id, name, created_at) VALUES (\(id), \(name), \(now))")
    }

    package func insertToken(hash: String, userID: String, now: Timestamp) throws {
        try execute("INSERT INTO tokens (hash, user_id, created_at) VALUES (\(hash), \(userID), \(now))")
    }
}
