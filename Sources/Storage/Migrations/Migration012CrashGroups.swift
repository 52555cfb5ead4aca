extension Migration {
    /// Jobs that were lost together and run together again until one of them runs alone.
    static let crashGroups = Migration(
        number: 12, name: "crash groups",
        statements: [
            "ALTER TABLE jobs ADD COLUMN crash_group TEXT",
            // When it last ran while the gateway also went down.
            "ALTER TABLE jobs ADD COLUMN outage_at BIGINT",
        ])
}
