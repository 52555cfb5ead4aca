extension Migration {
    /// Information for operators: the trace that requested a job, and the number of jobs of each kind.
    static let telemetry = Migration(
        number: 6, name: "telemetry",
        statements: [
            // 32 hexadecimal digits, from the request's traceparent header if it had one.
            "ALTER TABLE jobs ADD COLUMN trace TEXT",
            // Separate from job_counts: otherwise every summary would read a row for each user, kind and state.
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
