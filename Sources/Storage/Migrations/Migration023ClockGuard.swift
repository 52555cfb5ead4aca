extension Migration {
    /// The newest moment that was stored, by which a wall clock that is far ahead is known at a start.
    static let clockGuard = Migration(
        number: 23, name: "clock guard",
        statements: [
            // One row; none in a new database.
            "CREATE TABLE newest_moment (moment BIGINT NOT NULL)",
            // Of what every installation writes. This start's own migrations are no witness: their clock may be wrong.
            """
            INSERT INTO newest_moment (moment)
            SELECT newest FROM (
                SELECT MAX(moment) AS newest FROM (
                    SELECT MAX(COALESCE(finished_at, created_at)) AS moment FROM jobs
                    UNION ALL SELECT MAX(last_used_at) FROM sessions
                    UNION ALL SELECT MAX(last_used_at) FROM tokens
                    UNION ALL SELECT MAX(created_at) FROM users
                ) AS moments
            ) AS found
            WHERE newest IS NOT NULL
            """,
        ])
}
