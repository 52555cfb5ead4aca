extension Migration {
    /// Under whom jobs queue that Backline makes for people.
    static let fairShares = Migration(
        number: 16, name: "fair shares",
        statements: [
            // The person whom work is for that its owner, the system, does in their place; NULL is the owner.
            "ALTER TABLE jobs ADD COLUMN on_behalf_of TEXT",
            // Erasing a person looks for them here; no other job is in it.
            "CREATE INDEX jobs_on_behalf ON jobs (on_behalf_of, id) WHERE on_behalf_of IS NOT NULL",
        ])
}
