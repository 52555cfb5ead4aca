extension Migration {
    /// How much work the checkpoints of long jobs represent.
    static let checkpointWork = Migration(
        number: 47, name: "checkpoint work",
        statements: [
            // The most work of any checkpoint of the job so far, in a unit of its kind. More work is progress.
            "ALTER TABLE job_checkpoints ADD COLUMN work BIGINT NOT NULL DEFAULT 0"
        ])
}
