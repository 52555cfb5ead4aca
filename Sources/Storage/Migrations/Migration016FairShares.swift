extension Migration {
    /// The people for whom system jobs queue.
    static let fairShares = Migration(
        number: 16, name: "fair shares",
        statements: [
            // The person under whom a system job queues; NULL means the owner.
            "ALTER TABLE jobs ADD COLUMN on_behalf_of TEXT",
            // For erasing a person.
            "CREATE INDEX jobs_on_behalf ON jobs (on_behalf_of, id) WHERE on_behalf_of IS NOT NULL",
        ])
}
