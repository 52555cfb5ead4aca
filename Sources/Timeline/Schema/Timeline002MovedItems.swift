import Storage

extension Migration {
    /// For items that were made while the clock was ahead.
    static let timelineMovedItems = Migration(
        domain: "timeline", number: 2, name: "movedItems",
        statements: [
            // An item whose score does not follow from the moment that its domain keeps, since that moment was ahead. The
            // rows have nothing of a person, and are deleted after the items.
            "CREATE TABLE timeline_moved_items (number \(Dialect.integerKey) PRIMARY KEY, score BIGINT NOT NULL)",
            "CREATE INDEX timeline_own_items_by_score ON timeline_own_items (score, number, person)",
        ])
}
