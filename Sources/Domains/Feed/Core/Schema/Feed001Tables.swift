import Storage

extension Migration {
    /// What people hide, mute and have read. People are named by their keys in the table `people`.
    static let feedTables = Migration(
        domain: "feed", number: 1, name: "tables",
        statements: [
            // How far a person has read the feed: the item with this score and number, and all below it.
            """
            CREATE TABLE feed_marks (
                person \(Dialect.integerKey) PRIMARY KEY,
                score BIGINT NOT NULL,
                number BIGINT NOT NULL,
                change BIGINT NOT NULL
            )
            """,
            // Kinds of items that a person does not want; `kind` is a number of `TimelineKind`.
            """
            CREATE TABLE feed_muted_kinds (
                person BIGINT NOT NULL,
                kind BIGINT NOT NULL,
                muted_at BIGINT NOT NULL,
                PRIMARY KEY (person, kind)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Items that a person does not want. `item` is the id that the API shows, without the revision.
            """
            CREATE TABLE feed_hidden_items (
                person BIGINT NOT NULL,
                kind BIGINT NOT NULL,
                item TEXT NOT NULL,
                hidden_at BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (person, kind, item)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX feed_hidden_items_by_change ON feed_hidden_items (person, change)",
            // When a person first opened the feed, and last on another day (UTC) than before.
            """
            CREATE TABLE feed_openings (
                person \(Dialect.integerKey) PRIMARY KEY,
                first_at BIGINT NOT NULL,
                last_at BIGINT NOT NULL
            )
            """,
        ])
}
