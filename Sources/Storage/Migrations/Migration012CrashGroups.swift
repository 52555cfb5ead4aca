extension Migration {
    /// Jobs that were lost together, and run together again until one of them stands alone.
    static let crashGroups = Migration(
        number: 12, name: "crash groups",
        statements: [
            "ALTER TABLE jobs ADD COLUMN crash_group TEXT",
            // When it last ran while the gateway went down as well.
            "ALTER TABLE jobs ADD COLUMN outage_at BIGINT",
        ])
}
