extension Migration {
    /// What people use of what they may.
    static let quotas = Migration(
        number: 17, name: "quotas",
        statements: [
            // The bytes of the payload, where a person submitted the job; NULL where Backline itself did.
            "ALTER TABLE jobs ADD COLUMN submitted_bytes BIGINT",
            // Of those that have not ended: how many there are of each person's, and those bytes.
            """
            CREATE TABLE submission_counts (
                user_id TEXT NOT NULL PRIMARY KEY,
                jobs BIGINT NOT NULL,
                bytes BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            submitted(where: "finished_at IS NULL"),
            // They count again when they are requeued.
            submitted(where: "state = 'failed'"),
            """
            INSERT INTO submission_counts (user_id, jobs, bytes)
            SELECT user_id, COUNT(*), SUM(submitted_bytes) FROM jobs
            WHERE finished_at IS NULL AND submitted_bytes IS NOT NULL GROUP BY user_id
            """,
            // An event stream that resumes reads its own person's rows, and nobody else's. What waits is found by going
            // from one person with unfinished jobs to the next, which must not read a row: one that is damaged would hide
            // everybody's. So the index has all that its condition names.
            "DROP INDEX jobs_live",
            "CREATE INDEX jobs_live ON jobs (user_id, change, finished_at) WHERE finished_at IS NULL",
            // Whether a search waits for an answer.
            "ALTER TABLE concert_searches ADD COLUMN is_running BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE concert_searches SET is_running = 1
            WHERE cancelled_at IS NULL AND EXISTS (
                SELECT 1 FROM concert_search_subjects
                WHERE search_id = concert_searches.id AND status IS NULL)
            """,
            "CREATE INDEX concert_searches_running ON concert_searches (user_id) WHERE is_running = 1",
        ])

    /// Marks jobs that people submitted, by kinds that they may submit; from now on they ask for priorities below those
    /// of what somebody waits for on a screen.
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
