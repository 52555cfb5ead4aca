extension Migration {
    /// The apps that people have registered with a provider themselves.
    static let personalApps = Migration(
        number: 27, name: "personal apps",
        statements: [
            """
            CREATE TABLE personal_apps (
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                client_id TEXT NOT NULL,
                entered_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, provider)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The client id that the attempt used, and with which its code is exchanged. NULL means that of the
            // installation, for an attempt from before this migration.
            "ALTER TABLE authorizations ADD COLUMN client_id TEXT",
        ])
}
