extension Migration {
    /// For items that go again.
    package static let storageGoneAgain = Migration(
        domain: "storage", number: 3, name: "goneAgain",
        statements: ["CREATE INDEX gone_items_of_item ON gone_items (user_id, kind, item)"])
}
