import Storage

extension Migration {
    /// The items of authors, and the topics.
    static let timelineTables = Migration(
        domain: "timeline", number: 1, name: "tables",
        statements: [
            // An item of an author: a person's key, or a topic's, which is negative. An item of several topics has a row
            // for each, with the same number. `number` is the change number with which the item was made, and the key of
            // the row that has its content. `kind` is a number of `TimelineKind`.
            """
            CREATE TABLE timeline_items (
                author BIGINT NOT NULL,
                score BIGINT NOT NULL,
                number BIGINT NOT NULL,
                kind BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (author, score, number)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX timeline_items_by_score ON timeline_items (score, number, author)",
            "CREATE INDEX timeline_items_by_change ON timeline_items (author, change)",
            // The highest score of an author's items, so that the first page need not look for it among them.
            "CREATE TABLE timeline_latest (author \(Dialect.integerKey) PRIMARY KEY, score BIGINT NOT NULL)",
            // Items that one person alone has in the feed.
            """
            CREATE TABLE timeline_own_items (
                person BIGINT NOT NULL,
                score BIGINT NOT NULL,
                number BIGINT NOT NULL,
                kind BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (person, score, number)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX timeline_own_items_by_change ON timeline_own_items (person, change)",
            // Items that an author had. The rows stay for those who were away, also without their author; `item` is the
            // id that the API showed.
            """
            CREATE TABLE timeline_gone_items (
                author BIGINT NOT NULL,
                change BIGINT NOT NULL,
                item TEXT NOT NULL,
                gone_at BIGINT NOT NULL,
                PRIMARY KEY (author, change)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX timeline_gone_items_by_time ON timeline_gone_items (gone_at)",
            // The highest change of a row of `timeline_gone_items` that was pruned; one row. Who has read less than that
            // misses something.
            "CREATE TABLE pruned_timeline_gone_items (change BIGINT NOT NULL)",
            "INSERT INTO pruned_timeline_gone_items (change) VALUES (0)",
            // The last change by which more people may see an author's items.
            "CREATE TABLE timeline_openings (author \(Dialect.integerKey) PRIMARY KEY, change BIGINT NOT NULL)",
            "CREATE INDEX timeline_openings_by_change ON timeline_openings (change)",
            // A topic. `key` is negative, and never given twice.
            "CREATE TABLE timeline_topics (key \(Dialect.integerKey) PRIMARY KEY, name TEXT NOT NULL)",
            "CREATE UNIQUE INDEX timeline_topics_by_name ON timeline_topics (name)",
            // Who reads which topics; `reason` is a number of `TopicReason`.
            """
            CREATE TABLE timeline_topic_readers (
                person BIGINT NOT NULL,
                topic BIGINT NOT NULL,
                reason BIGINT NOT NULL,
                PRIMARY KEY (person, topic, reason)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX timeline_topic_readers_of_topic ON timeline_topic_readers (topic, person)",
            // When what a person's feed shows has last changed so that it is to be read again: other topics, or a kind
            // or an item that is shown again.
            """
            CREATE TABLE timeline_resets (person \(Dialect.integerKey) PRIMARY KEY, change BIGINT NOT NULL)
            """,
        ])
}
