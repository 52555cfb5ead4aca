extension Migration {
    /// When the next run of a job was planned.
    static let plannedRuns = Migration(
        number: 51, name: "planned runs",
        statements: [
            // When `run_at` of a postponed job was set, which later shows whether the clock was ahead then. NULL for
            // jobs that were never postponed, and for earlier rows.
            "ALTER TABLE jobs ADD COLUMN planned_at BIGINT"
        ])
}
