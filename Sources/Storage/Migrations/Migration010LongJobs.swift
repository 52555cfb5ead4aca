extension Migration {
    /// Jobs that run for hours: where they stand, how long they have run, and the rows that their ends still owe.
    static let longJobs = Migration(
        number: 10, name: "long jobs",
        statements: [
            // The deaths of workers that held it, over the job's whole life; `crashes` is cleared by progress.
            "ALTER TABLE jobs ADD COLUMN deaths BIGINT NOT NULL DEFAULT 0",
            // Microseconds that its ended runs took together.
            "ALTER TABLE jobs ADD COLUMN ran_for BIGINT NOT NULL DEFAULT 0",
            // The scopes that its person has to grant before it goes on, with a space between; beside `awaits`.
            "ALTER TABLE jobs ADD COLUMN awaited_scopes TEXT",
            // The last state that a handler kept, as JSON of 64 KiB at most; apart, so that the rows of jobs stay
            // short.
            """
            CREATE TABLE job_checkpoints (
                job_id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                state TEXT NOT NULL,
                kept_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Ends whose rows the database refused; they are written later.
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
            // The steps that `diagnostics.steps` has taken; nothing keeps one from standing here twice but the fence.
            """
            CREATE TABLE diagnostic_steps (
                job_id TEXT NOT NULL,
                step BIGINT NOT NULL,
                run BIGINT NOT NULL,
                taken_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX diagnostic_steps_of_job ON diagnostic_steps (job_id)",
            // From now on the transaction that ends a lookup tells those who wait; before, they were looked for. Each
            // such search gets a change of its own, so that a page that is open over the update reads it anew.
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
