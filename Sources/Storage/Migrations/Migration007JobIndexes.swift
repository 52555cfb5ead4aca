extension Migration {
    /// Event streams find changes through two indexes, each of a part of the table, so that a job that changes its
    /// state touches only one of them: jobs_live while it is unfinished, jobs_ended from its end on.
    static let jobIndexes = Migration(
        number: 7, name: "job indexes",
        statements: [
            "DROP INDEX jobs_changed",
            "CREATE INDEX jobs_ended ON jobs (user_id, change) WHERE finished_at IS NOT NULL",
        ])
}
