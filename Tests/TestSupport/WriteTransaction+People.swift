import Model
import Storage

extension WriteTransaction {
    /// Inserts a user with a public profile, for tests of modules that do not depend on `Accounts`.
    package func insertPerson(id: String, name: String) throws {
        try run(
            """
            INSERT INTO users (id, name, name_key, is_admin, created_at)
            VALUES (\(id), \(name), \(name), 0, \(Timestamp.now()))
            """)
        try run("UPDATE person_keys SET value = value + 1")
        try run(
            """
            INSERT INTO people (key, user_id, visibility, shows_stats) SELECT value, \(id), 2, 1 FROM person_keys
            """)
    }
}

extension Database {
    /// Inserts a user in a transaction of its own; returns the new id.
    package func addPerson(_ name: String = "ada") async throws -> String {
        let id = UUIDv7.next()
        try await write { try $0.insertPerson(id: id, name: name) }
        return id
    }
}
