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
            // The client id that the attempt named, with which its code is exchanged. NULL is the installation's: of an
            // attempt from before this step.
            "ALTER TABLE authorizations ADD COLUMN client_id TEXT",
        ])
}
