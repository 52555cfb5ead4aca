extension Migration {
    /// The people for whom jobs of the system queue.
    static let fairShares = Migration(
        number: 16, name: "fair shares",
        statements: [
            // The person under whom a job of the system queues; NULL stands for the owner.
            "ALTER TABLE jobs ADD COLUMN on_behalf_of TEXT",
            // For erasing a person.
            "CREATE INDEX jobs_on_behalf ON jobs (on_behalf_of, id) WHERE on_behalf_of IS NOT NULL",
        ])
}
