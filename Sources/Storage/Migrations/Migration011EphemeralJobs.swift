extension Migration {
    /// Jobs whose answer somebody waits for on a screen and that nobody looks up afterwards.
    static let ephemeralJobs = Migration(
        number: 11, name: "ephemeral jobs",
        statements: [
            "ALTER TABLE jobs ADD COLUMN is_ephemeral BIGINT NOT NULL DEFAULT 0",
            // The id that a page gave to the requesting screen.
            "ALTER TABLE jobs ADD COLUMN screen TEXT",
            "CREATE INDEX jobs_ephemeral ON jobs (user_id, kind, screen) WHERE is_ephemeral = 1",
        ])
}
