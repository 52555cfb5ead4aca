import Storage

extension Migration {
    /// Sealed values: entered credentials and OAuth attempts, and the vault keys that each worker has.
    static let vaultBaseline = Migration(
        domain: "vault", number: 1, name: "baseline",
        statements: [
            // The hint is what people may see.
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
            // attempt with a code has been used: its state is no longer valid. The code is exchanged with `client_id`;
            // NULL means the client id of the installation.
            """
            CREATE TABLE authorizations (
                state_hash TEXT NOT NULL PRIMARY KEY,
                id TEXT NOT NULL,
                user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
                session_hash TEXT,
                provider TEXT NOT NULL,
                client_id TEXT,
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
            // `key_ids` has the ids of the worker's keys, separated by spaces; empty while it cannot read them.
            """
            CREATE TABLE vault_readers (
                worker TEXT NOT NULL PRIMARY KEY,
                key_ids TEXT NOT NULL,
                updated_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
