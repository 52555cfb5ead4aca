extension Migration {
    /// Quotas: how much people use of their limits.
    static let quotas = Migration(
        number: 17, name: "quotas",
        statements: [
            // The size of the payload of a job that a person submitted; NULL for Backline's own jobs.
            "ALTER TABLE jobs ADD COLUMN submitted_bytes BIGINT",
            // The number of each person's unfinished jobs, and the size of their payloads.
            """
            CREATE TABLE submission_counts (
                user_id TEXT NOT NULL PRIMARY KEY,
                jobs BIGINT NOT NULL,
                bytes BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            submitted(where: "finished_at IS NULL"),
            // Dead letters count again when they are requeued.
            submitted(where: "state = 'failed'"),
            """
            INSERT INTO submission_counts (user_id, jobs, bytes)
            SELECT user_id, COUNT(*), SUM(submitted_bytes) FROM jobs
            WHERE finished_at IS NULL AND submitted_bytes IS NOT NULL GROUP BY user_id
            """,
            // An event stream that resumes reads only the rows of its person. The dispatcher goes from one person with
            // unfinished jobs to the next. That must not read rows, because a damaged row would hide all jobs; so the
            // index covers its condition.
            "DROP INDEX jobs_live",
            "CREATE INDEX jobs_live ON jobs (user_id, change, finished_at) WHERE finished_at IS NULL",
            // Whether a search waits for lookups.
            "ALTER TABLE concert_searches ADD COLUMN is_running BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE concert_searches SET is_running = 1
            WHERE cancelled_at IS NULL AND EXISTS (
                SELECT 1 FROM concert_search_subjects
                WHERE search_id = concert_searches.id AND status IS NULL)
            """,
            "CREATE INDEX concert_searches_running ON concert_searches (user_id) WHERE is_running = 1",
        ])

    /// Marks the jobs that people submitted, by the kinds that they may submit, and lowers their priorities below the
    /// interactive ones.
    private static func submitted(where condition: StaticString) -> SQL {
        """
        UPDATE jobs SET submitted_bytes = \(Dialect.byteCount(of: "payload")),
            priority = CASE WHEN priority > 9 THEN 9 ELSE priority END
        WHERE \(trusted: condition) AND user_id <> 'system' AND is_ephemeral = 0
            AND kind IN ('diagnostics.echo', 'diagnostics.steps', 'spotify.profile')
            AND (unique_key IS NULL OR unique_key <> 'schedule:' || kind)
        """
    }
}
