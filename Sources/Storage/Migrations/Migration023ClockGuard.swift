extension Migration {
    /// The newest moment of a trusted clock, by which a starting gateway recognizes a wall clock that is far ahead.
    static let clockGuard = Migration(
        number: 23, name: "clock guard",
        statements: [
            // One row; none in a new database.
            "CREATE TABLE newest_moment (moment BIGINT NOT NULL)",
            // Taken from tables that every installation writes, not from the migrations: the clock of this start may be
            // wrong.
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
