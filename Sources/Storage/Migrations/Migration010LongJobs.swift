extension Migration {
    /// Jobs that run for hours: their checkpoints, running time, and rows still to be written after their ends.
    static let longJobs = Migration(
        number: 10, name: "long jobs",
        statements: [
            // The number of workers that died while they held the job, over its whole life; progress clears only
            // `crashes`.
            "ALTER TABLE jobs ADD COLUMN deaths BIGINT NOT NULL DEFAULT 0",
            // The total running time of its ended runs, in microseconds.
            "ALTER TABLE jobs ADD COLUMN ran_for BIGINT NOT NULL DEFAULT 0",
            // The scopes that its person has to grant before it continues, separated by spaces; used together with
            // `awaits`.
            "ALTER TABLE jobs ADD COLUMN awaited_scopes TEXT",
            // The last checkpoint of a handler: JSON of at most 64 KiB. A separate table keeps the rows of jobs short.
            """
            CREATE TABLE job_checkpoints (
                job_id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                state TEXT NOT NULL,
                kept_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Ended jobs whose dependent rows the database refused; the rows are written later.
            """
            CREATE TABLE job_ends (
                job_id TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                ended TEXT NOT NULL,
                tries BIGINT NOT NULL,
                next_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX job_ends_by_time ON job_ends (next_at)",
            // The steps that `diagnostics.steps` has taken. No key is unique: only the fence prevents a second row.
            """
            CREATE TABLE diagnostic_steps (
                job_id TEXT NOT NULL,
                step BIGINT NOT NULL,
                run BIGINT NOT NULL,
                taken_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX diagnostic_steps_of_job ON diagnostic_steps (job_id)",
            // From now on the transaction that ends a lookup also updates the searches that wait for it. Each such
            // search gets a change number of its own, so that a page that is open during the update reads it again.
            """
            UPDATE concert_searches SET change = (SELECT value FROM change_sequence)
                + (SELECT COUNT(*) FROM concert_searches AS others WHERE others.id <= concert_searches.id)
            WHERE EXISTS (
                SELECT 1 FROM concert_search_subjects
                WHERE search_id = concert_searches.id AND job_id IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM jobs WHERE jobs.id = job_id AND jobs.finished_at IS NULL))
            """,
            "UPDATE change_sequence SET value = value + (SELECT COUNT(*) FROM concert_searches)",
            """
            UPDATE concert_search_subjects SET status = 'failed', warning_code = 'upstreamError', job_id = NULL
            WHERE job_id IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM jobs WHERE jobs.id = job_id AND jobs.finished_at IS NULL)
            """,
        ])
}
