import Storage

extension Migration {
    /// People as others meet them, their follows and blocks, and the limits of their acts.
    static let visibilityTables = Migration(
        domain: "visibility", number: 1, name: "tables",
        statements: [
            // The newest key of a person. A key is never given twice, so that a row that outlives its person belongs to
            // nobody.
            "CREATE TABLE person_keys (value BIGINT NOT NULL)",
            "INSERT INTO person_keys (value) VALUES (0)",
            // `key` names the person in the tables of follows and blocks, and is never shown. `state` is 0 for an
            // active person, 1 for a suspended one and 2 for one who is being erased. `visibility` is 0 for a private
            // profile, 1 for one that followers may see, and 2 for a public one.
            """
            CREATE TABLE people (
                key \(Dialect.integerKey) PRIMARY KEY,
                user_id TEXT NOT NULL,
                state BIGINT NOT NULL DEFAULT 0,
                visibility BIGINT NOT NULL,
                shows_stats BIGINT NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX people_by_user ON people (user_id)",
            // The few who are suspended or being erased, whom the counts of profiles leave out.
            "CREATE INDEX people_invisible ON people (key) WHERE state <> 0",
            // `change` is the change number of the follow, by which lists are sorted: it rises even when the clock goes
            // back.
            """
            CREATE TABLE follows (
                follower BIGINT NOT NULL,
                followed BIGINT NOT NULL,
                followed_at BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (follower, followed)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // What changed between a person and another that the person's devices show: a follow, a request, or the end
            // of one. The end leaves the row, so that a device that was away learns of it. Each of the two has a row,
            // until one of them no longer exists for the other. `change` is 0 if there is nothing to report.
            """
            CREATE TABLE relation_changes (
                person BIGINT NOT NULL,
                other BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (person, other)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX relation_changes_of_person ON relation_changes (person, change)",
            "CREATE INDEX follows_of_follower ON follows (follower, change, followed)",
            "CREATE INDEX follows_of_followed ON follows (followed, change, follower)",
            """
            CREATE TABLE blocks (
                blocker BIGINT NOT NULL,
                blocked BIGINT NOT NULL,
                blocked_at BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (blocker, blocked)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX blocks_of_blocker ON blocks (blocker, change, blocked)",
            "CREATE INDEX blocks_of_blocked ON blocks (blocked, blocker)",
            // A row for each person and kind of act: when the person may do as many as the limit again.
            """
            CREATE TABLE act_limits (
                person BIGINT NOT NULL,
                kind TEXT NOT NULL,
                full_at BIGINT NOT NULL,
                PRIMARY KEY (person, kind)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
