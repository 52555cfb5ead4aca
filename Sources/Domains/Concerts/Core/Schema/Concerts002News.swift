import Storage

extension Migration {
    /// What happened to shows, the topics in whose timelines that appears, and who watches the topics.
    static let concertsNews = Migration(
        domain: "concerts", number: 2, name: "news",
        statements: [
            // When a lookup first found the event, first found it on sale, and last found it moved or cancelled. NULL
            // for what never happened, or happened before this version.
            "ALTER TABLE concert_events ADD COLUMN first_seen_at BIGINT",
            "ALTER TABLE concert_events ADD COLUMN on_sale_at BIGINT",
            "ALTER TABLE concert_events ADD COLUMN moved_at BIGINT",
            "ALTER TABLE concert_events ADD COLUMN cancelled_at BIGINT",
            // For the end of a lookup without an answer.
            "CREATE INDEX concert_subjects_by_lookup ON concert_subjects (job_id) WHERE job_id IS NOT NULL",
            // What happened to an event. `number` is the change with which it was stored, `revision` counts from 1
            // (the announcement) within the event, `reason` is a `NewsReason`, and `changes` is JSON.
            """
            CREATE TABLE concert_news (
                number \(Dialect.integerKey) NOT NULL PRIMARY KEY,
                event_id TEXT NOT NULL,
                revision BIGINT NOT NULL,
                reason BIGINT NOT NULL,
                at BIGINT NOT NULL,
                changes TEXT NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX concert_news_of_event ON concert_news (event_id, revision)",
            // The topics of a subject: the artist, or the city. `topic` is its name in timelines, `known_at` when an
            // answer last showed all of the topic's shows (NULL before the first), and `horizon` the day up to which
            // that answer reached (days since 1970; NULL for an answer without such a limit).
            """
            CREATE TABLE concert_topics (
                subject_key TEXT NOT NULL,
                topic TEXT NOT NULL,
                known_at BIGINT,
                horizon BIGINT,
                PRIMARY KEY (subject_key, topic)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The listings that a topic knows. `news` is what its timeline shows of the event, or NULL, `is_main` is 1 for
            // the listing that represents its show, and `day` is the show's (days since 1970; NULL when it is unknown, 0
            // for a cancelled show).
            """
            CREATE TABLE concert_topic_shows (
                topic TEXT NOT NULL,
                event_id TEXT NOT NULL,
                known_at BIGINT NOT NULL,
                is_main BIGINT NOT NULL,
                day BIGINT,
                news BIGINT,
                PRIMARY KEY (topic, event_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            """
            CREATE INDEX concert_topic_shows_coming ON concert_topic_shows (topic, day, known_at) WHERE is_main = 1
            """,
            "CREATE INDEX concert_topic_shows_of_event ON concert_topic_shows (event_id)",
            // When a subject that somebody watches is looked up again. `name` is what is asked for: the artist, or the
            // city without additions. `failure` is the warning of the last lookup if it ended without an answer.
            """
            CREATE TABLE concert_refreshes (
                subject_key TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                next_at BIGINT NOT NULL,
                failure TEXT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX concert_refreshes_due ON concert_refreshes (next_at)",
            // How many calls scheduled refreshes were expected to cost on a day (days since 1970).
            """
            CREATE TABLE concert_refresh_days (
                day BIGINT NOT NULL PRIMARY KEY,
                calls BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // People whose shows are refreshed, since they first opened their feed.
            """
            CREATE TABLE concert_readers (
                user_id TEXT NOT NULL PRIMARY KEY,
                since BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The topics that a person watches: ranked artists (`part` 1) and the home city (2), with the `name` as the
            // person wrote it. `settled_at` is when the person got the topic's coming shows; NULL before that.
            """
            CREATE TABLE concert_watches (
                user_id TEXT NOT NULL,
                topic TEXT NOT NULL,
                subject_key TEXT NOT NULL,
                part BIGINT NOT NULL,
                name TEXT NOT NULL,
                settled_at BIGINT,
                PRIMARY KEY (user_id, topic)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX concert_watches_of_subject ON concert_watches (subject_key, user_id)",
            "CREATE INDEX concert_watches_owed ON concert_watches (subject_key, user_id) WHERE settled_at IS NULL",
            // The shows of a topic that were coming when a person began to watch it: an item of the person's own
            // timeline, once for each person and topic.
            """
            CREATE TABLE concert_coming_shows (
                number \(Dialect.integerKey) NOT NULL PRIMARY KEY,
                id TEXT NOT NULL,
                user_id TEXT NOT NULL,
                topic TEXT NOT NULL,
                name TEXT NOT NULL,
                at BIGINT NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX concert_coming_shows_of_user ON concert_coming_shows (user_id, topic)",
        ])
}
