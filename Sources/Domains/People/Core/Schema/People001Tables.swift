import Storage

extension Migration {
    /// Requests, reports, and what suggestions are made from. People are named by their keys in the table `people`.
    static let peopleTables = Migration(
        domain: "people", number: 1, name: "tables",
        statements: [
            // Somebody asks to follow a person whose profile followers alone may see. `change` is the change number of
            // the request, by which lists are sorted.
            """
            CREATE TABLE follow_requests (
                requester BIGINT NOT NULL,
                requested BIGINT NOT NULL,
                requested_at BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (requester, requested)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX follow_requests_of_requested ON follow_requests (requested, change, requester)",
            // When somebody first asked to follow a person, and first followed them (in whole milliseconds); NULL for
            // never. `number` is a change number of the first follow, which orders those of the same moment. The row
            // stays when the follow ends, so that the person is notified once only.
            """
            CREATE TABLE follow_beginnings (
                follower BIGINT NOT NULL,
                followed BIGINT NOT NULL,
                requested_at BIGINT,
                followed_at BIGINT,
                number BIGINT,
                PRIMARY KEY (follower, followed)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX follow_beginnings_of_followed ON follow_beginnings (followed, follower)",
            """
            CREATE INDEX follow_beginnings_by_time ON follow_beginnings (followed, followed_at, number)
            WHERE number IS NOT NULL
            """,
            // The artists to whom a person listens most, at most 20, from rank 1. `artist_key` is the folded name.
            """
            CREATE TABLE person_artists (
                person BIGINT NOT NULL,
                rank BIGINT NOT NULL,
                artist_key TEXT NOT NULL,
                artist TEXT NOT NULL,
                PRIMARY KEY (person, rank)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX person_artists_by_artist ON person_artists (artist_key, rank, person)",
            // From which listens the artists of a person were made: `listens_change` is the change number of the
            // person's history then, 0 without one.
            """
            CREATE TABLE person_artist_versions (
                person BIGINT NOT NULL PRIMARY KEY,
                listens_change BIGINT NOT NULL,
                read_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // A report of a person to the administrators. `reporter` is NULL once the reporter is erased; a `subject`
            // who is erased leaves a key that belongs to nobody. `decision` is NULL while the report is open. The seal
            // has what the reporter wrote and what the profile showed; it is deleted with the decision.
            """
            CREATE TABLE reports (
                id TEXT NOT NULL PRIMARY KEY,
                reporter BIGINT,
                subject BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                key_id TEXT,
                sealed \(Dialect.bytes),
                decision TEXT,
                decided_at BIGINT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX reports_of_reporter ON reports (reporter, id) WHERE reporter IS NOT NULL",
            "CREATE INDEX reports_open ON reports (id) WHERE decision IS NULL",
            "CREATE INDEX reports_decided ON reports (id) WHERE decision IS NOT NULL",
            "CREATE INDEX reports_by_age ON reports (created_at)",
        ])
}
