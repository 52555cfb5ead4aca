extension Migration {
    /// What operators look at: the trace that asked for a job, and how many jobs of each kind there are.
    static let telemetry = Migration(
        number: 6, name: "telemetry",
        statements: [
            // 32 hexadecimal digits, of the request's header traceparent when it had one.
            "ALTER TABLE jobs ADD COLUMN trace TEXT",
            // Beside job_counts: a row for each user, kind and state would be read by every summary.
            """
            CREATE TABLE job_kind_counts (
                kind TEXT NOT NULL,
                state TEXT NOT NULL,
                count BIGINT NOT NULL,
                PRIMARY KEY (kind, state)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // For administrators, who list the jobs of all users in the order of their ids.
            "CREATE INDEX jobs_dead_of_all ON jobs (id) WHERE state = 'failed'",
            """
            INSERT INTO job_kind_counts (kind, state, count)
            SELECT kind, state, COUNT(*) FROM jobs GROUP BY kind, state
            """,
        ])
}
