extension Migration {
    /// How much work the checkpoints of long jobs stand for.
    static let checkpointWork = Migration(
        number: 47, name: "checkpoint work",
        statements: [
            // The most work that any checkpoint of the job has had, in a unit of its kind. More is progress.
            "ALTER TABLE job_checkpoints ADD COLUMN work BIGINT NOT NULL DEFAULT 0"
        ])
}
