extension Migration {
    /// Which account a connection belongs to, the client that it was granted to, and accounts that others replaced.
    static let linkedAccounts = Migration(
        number: 24, name: "linked accounts",
        statements: [
            // The installation's client id to which the grant belongs. NULL means unknown: for a connection from before
            // this migration, until a refresh with the configured client id has succeeded.
            "ALTER TABLE connections ADD COLUMN client_id TEXT",
            // Spotify's `id`, which names the owner of a playlist. account_id is Spotify's `account_id`, or this one if
            // Spotify has reported no other. NULL means unknown, until Spotify is asked again.
            "ALTER TABLE connections ADD COLUMN account_user_id TEXT",
            // Accounts that were replaced by another one and whose data the person wanted to keep.
            """
            CREATE TABLE former_accounts (
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                account_id TEXT NOT NULL,
                account_name TEXT,
                replaced_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, provider, account_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
