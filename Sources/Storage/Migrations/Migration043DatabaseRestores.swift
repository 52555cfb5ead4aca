extension Migration {
    /// When the database was restored from a backup.
    static let databaseRestores = Migration(
        number: 43, name: "database restores",
        statements: [
            // A row for each restore, with its time by the wall clock. What was unfinished according to the database
            // may have been finished since the backup.
            "CREATE TABLE database_restores (restored_at BIGINT NOT NULL)"
        ])
}
