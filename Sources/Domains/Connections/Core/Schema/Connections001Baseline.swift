import Storage

extension Migration {
    /// People's connections to services (docs/decisions/009-connections.md, 019-another-account.md).
    static let connectionsBaseline = Migration(
        domain: "connections", number: 1, name: "baseline",
        statements: [
            // One state machine for each person and provider. `client_id` is the client id to which the grant belongs;
            // NULL for a provider without one. `account_user_id` is Spotify's `id`, which names the owner of a playlist;
            // NULL until Spotify has reported it. `account_id` is Spotify's `account_id`, or that one if Spotify has
            // reported no other. `refresh_expires_at` is in microseconds of CLOCK_BOOTTIME.
            """
            CREATE TABLE connections (
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                state TEXT NOT NULL,
                reason TEXT,
                until BIGINT,
                account_id TEXT,
                account_user_id TEXT,
                account_name TEXT,
                details TEXT,
                client_id TEXT,
                scopes TEXT,
                authorized_at BIGINT,
                renew_by BIGINT,
                token_expires_at BIGINT,
                refresh_owner TEXT,
                refresh_expires_at BIGINT,
                refresh_boot TEXT,
                change BIGINT NOT NULL,
                updated_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, provider)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX connections_changed ON connections (user_id, change)",
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
            // The apps that people have registered with a provider themselves.
            """
            CREATE TABLE personal_apps (
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                client_id TEXT NOT NULL,
                entered_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, provider)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
