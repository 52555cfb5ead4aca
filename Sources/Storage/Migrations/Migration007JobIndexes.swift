extension Migration {
    /// Event streams find what changed through two indexes of half the table each, so that a job that moves on
    /// touches one of them: jobs_live while it is unfinished, jobs_ended from its end on.
    static let jobIndexes = Migration(
        number: 7, name: "job indexes",
        statements: [
            "DROP INDEX jobs_changed",
            "CREATE INDEX jobs_ended ON jobs (user_id, change) WHERE finished_at IS NOT NULL",
        ])
}
