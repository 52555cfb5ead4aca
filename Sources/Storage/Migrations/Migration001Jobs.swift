extension Migration {
    static let jobs = Migration(
        number: 1, name: "jobs",
        statements: [
            // Orders everything that event streams report; one row, written once per transaction.
            "CREATE TABLE change_sequence (value BIGINT NOT NULL)",
            "INSERT INTO change_sequence (value) VALUES (0)",
            // Times are in microseconds UTC, except lease_expires_at, which is in microseconds of CLOCK_BOOTTIME.
            """
            CREATE TABLE jobs (
                id TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                version BIGINT NOT NULL,
                payload TEXT NOT NULL,
                state TEXT NOT NULL,
                priority BIGINT NOT NULL,
                run BIGINT NOT NULL,
                attempt BIGINT NOT NULL,
                maximum_attempts BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                run_at BIGINT NOT NULL,
                started_at BIGINT,
                finished_at BIGINT,
                worker TEXT,
                lease_expires_at BIGINT,
                is_suspect BIGINT NOT NULL DEFAULT 0,
                crashes BIGINT NOT NULL DEFAULT 0,
                result TEXT,
                error_code TEXT,
                error_message TEXT,
                unique_key TEXT,
                fingerprint TEXT,
                change BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX jobs_of_user ON jobs (user_id, id)",
            "CREATE INDEX jobs_changed ON jobs (user_id, change)",
            // A job is unfinished as long as it has no end. (SQLite would build a temporary table from a list of states
            // in the condition for every statement that touches a row.)
            "CREATE INDEX jobs_live ON jobs (change) WHERE finished_at IS NULL",
            "CREATE INDEX jobs_dead ON jobs (user_id, id) WHERE state = 'failed'",
            """
            CREATE UNIQUE INDEX jobs_unique ON jobs (user_id, unique_key)
            WHERE unique_key IS NOT NULL AND finished_at IS NULL
            """,
            // One row for each attempt that did not succeed.
            """
            CREATE TABLE job_attempts (
                job_id TEXT NOT NULL,
                run BIGINT NOT NULL,
                attempt BIGINT NOT NULL,
                worker TEXT,
                started_at BIGINT,
                finished_at BIGINT NOT NULL,
                error_code TEXT NOT NULL,
                error_message TEXT NOT NULL,
                PRIMARY KEY (job_id, run)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            """
            CREATE TABLE job_counts (
                user_id TEXT NOT NULL,
                state TEXT NOT NULL,
                count BIGINT NOT NULL,
                PRIMARY KEY (user_id, state)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The answer to an Idempotency-Key: the ids of the jobs or of the search that the request made.
            """
            CREATE TABLE idempotency_keys (
                user_id TEXT NOT NULL,
                key TEXT NOT NULL,
                fingerprint TEXT NOT NULL,
                resource_ids TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, key)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)",
            // When each recurring schedule is due next; what it submits is in the configuration.
            """
            CREATE TABLE schedules (
                name TEXT NOT NULL PRIMARY KEY,
                next_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
