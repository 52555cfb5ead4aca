extension Migration {
    /// The vault, connections to services, and jobs that wait for a credential.
    static let credentials = Migration(
        number: 9, name: "credentials",
        statements: [
            // Sealed values: nonce, ciphertext and tag. The hint is what people may see.
            """
            CREATE TABLE secrets (
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                field TEXT NOT NULL,
                key_id TEXT NOT NULL,
                sealed \(Dialect.bytes) NOT NULL,
                hint TEXT NOT NULL,
                updated_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, provider, field)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX secrets_of_key ON secrets (key_id)",
            // Entered credentials that are not verified yet: the secrets as one sealed document, the rest in the clear.
            // There is no user yet when somebody signs in.
            """
            CREATE TABLE credential_candidates (
                id TEXT NOT NULL PRIMARY KEY,
                user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                key_id TEXT NOT NULL,
                sealed \(Dialect.bytes) NOT NULL,
                hint TEXT NOT NULL,
                details TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX credential_candidates_of_user ON credential_candidates (user_id)",
            "CREATE INDEX credential_candidates_by_end ON credential_candidates (expires_at)",
            // OAuth attempts that are under way. The state is stored as a hash; verifier and code are sealed. An
            // attempt with a code has been used: its state is no longer valid.
            """
            CREATE TABLE authorizations (
                state_hash TEXT NOT NULL PRIMARY KEY,
                id TEXT NOT NULL,
                user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
                session_hash TEXT,
                provider TEXT NOT NULL,
                redirect_uri TEXT NOT NULL,
                scopes TEXT NOT NULL,
                nonce TEXT,
                key_id TEXT NOT NULL,
                sealed_verifier \(Dialect.bytes) NOT NULL,
                code_key_id TEXT,
                sealed_code \(Dialect.bytes),
                return_to TEXT,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX authorizations_by_id ON authorizations (id)",
            "CREATE INDEX authorizations_of_user ON authorizations (user_id)",
            "CREATE INDEX authorizations_by_end ON authorizations (expires_at)",
            // One state machine for each person and provider. refresh_expires_at is in microseconds of CLOCK_BOOTTIME.
            """
            CREATE TABLE connections (
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                state TEXT NOT NULL,
                reason TEXT,
                until BIGINT,
                account_id TEXT,
                account_name TEXT,
                details TEXT,
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
            // The provider whose credential a scheduled job waits for.
            "ALTER TABLE jobs ADD COLUMN awaits TEXT",
            "CREATE INDEX jobs_awaiting ON jobs (user_id, awaits) WHERE awaits IS NOT NULL",
        ])
}
