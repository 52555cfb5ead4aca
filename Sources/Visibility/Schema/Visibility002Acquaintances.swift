import Storage

extension Migration {
    /// Which acquaintances may end.
    static let visibilityAcquaintances = Migration(
        domain: "visibility", number: 2, name: "acquaintances",
        statements: [
            // A number of `AcquaintanceState`.
            "ALTER TABLE relation_changes ADD COLUMN state BIGINT NOT NULL DEFAULT 0",
            // Nobody knows what else was between these people.
            "UPDATE relation_changes SET state = 2",
            "CREATE INDEX relation_changes_changed ON relation_changes (change) WHERE state = 1",
        ])
}
