import DomainEvents
import Model
import Storage
import Timeline

/// A topic of a subject: a row of `concert_topics`.
struct TopicRecord: Sendable {
    let topic: TimelineTopic
    let subjectKey: String
    let knownAt: Timestamp?
    /// The day up to which the last complete answer reached, in days since 1970; `nil` when it was not limited.
    let horizon: Int?

    /// How long the shows of a topic count as known without another answer. Whatever became known after a longer time
    /// is not announced.
    static let memory = Duration.seconds(30 * 86_400)

    static let columns = SQL("subject_key, topic, known_at, horizon")

    /// `nil` for a topic that a later version has written.
    init?(row: Row) throws {
        guard let topic = TimelineTopic(ofConcerts: try row["topic"]) else { return nil }
        self.topic = topic
        subjectKey = try row["subject_key"]
        knownAt = try row["known_at"]
        horizon = try row["horizon"]
    }

    func isKnown(at now: Timestamp) -> Bool {
        knownAt.map { (.zero..<Self.memory).contains($0.duration(to: now)) } ?? false
    }
}

extension ConcertStore {
    func topics(ofSubject key: String) throws -> [TopicRecord] {
        try transaction.rows(
            "SELECT \(TopicRecord.columns) FROM concert_topics WHERE subject_key = \(key) ORDER BY topic"
        ).compactMap(TopicRecord.init)
    }

    func topic(_ topic: TimelineTopic, ofSubject key: String) throws -> TopicRecord? {
        try transaction.row(
            """
            SELECT \(TopicRecord.columns) FROM concert_topics
            WHERE subject_key = \(key) AND topic = \(topic.name)
            """
        ).flatMap(TopicRecord.init)
    }

    /// What a topic knows of a listing.
    struct KnownListing: Hashable {
        var isMain: Bool
        /// See ``AnsweredShow/day``.
        var day: Int?
    }

    /// The listings that a topic knows, by event.
    func knownListings(of topic: TimelineTopic) throws -> [String: KnownListing] {
        try transaction.rows("SELECT event_id, is_main, day FROM concert_topic_shows WHERE topic = \(topic.name)")
            .reduce(into: [:]) { known, row in
                known[try row["event_id"]] = KnownListing(isMain: try row["is_main"] as Int == 1, day: try row["day"])
            }
    }

    /// The number of a topic's coming shows among those that it knew at a moment, and the first of them by date.
    ///
    /// - Parameters:
    ///   - name: of the topic.
    ///   - today: the first day, in days since 1970.
    ///   - limit: how many shows to return.
    package func comingShows(
        ofTopic name: String, knownUntil moment: Timestamp, from today: Int, limit: Int
    ) throws -> (count: Int, first: [ConcertEvent]) {
        let coming: SQL =
            "topic = \(name) AND is_main = 1 AND known_at <= \(moment) AND (day >= \(today) OR day IS NULL)"
        let count: Int =
            try transaction.row("SELECT COUNT(*) AS count FROM concert_topic_shows WHERE \(coming)")?["count"] ?? 0
        let first = try transaction.map(
            """
            SELECT event FROM concert_topic_shows JOIN concert_events ON concert_events.id = event_id
            WHERE \(coming) ORDER BY day NULLS LAST, event_id LIMIT \(limit)
            """
        ) { try ConcertEvent(storage: try $0["event"]) }
        return (count, first)
    }

    func hasComingShows(_ topic: TimelineTopic, from today: Int) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM concert_topic_shows
            WHERE topic = \(topic.name) AND is_main = 1 AND (day >= \(today) OR day IS NULL) LIMIT 1
            """) != nil
    }

    /// Listings of topics that no lookup has found since `cutoff`. This may look at all of them: do not call it in a
    /// write transaction.
    func oldListings(foundBefore cutoff: PruningTime, limit: Int) throws -> [TopicListing] {
        try transaction.rows(
            """
            SELECT topic, event_id FROM concert_events CROSS JOIN concert_topic_shows
            WHERE updated_at < \(cutoff.moment) AND event_id = concert_events.id ORDER BY updated_at LIMIT \(limit)
            """
        ).map { TopicListing(topic: try $0["topic"], eventID: try $0["event_id"]) }
    }
}

/// A listing that a topic knows.
struct TopicListing: Sendable {
    let topic: String
    let eventID: String
}

extension ConcertStore where Access == WriteTransaction {
    /// Makes a topic of a subject, unless it exists.
    func addTopic(_ topic: TimelineTopic, ofSubject key: String) throws {
        try transaction.run(
            """
            INSERT INTO concert_topics (subject_key, topic) VALUES (\(key), \(topic.name)) ON CONFLICT DO NOTHING
            """)
    }

    func setKnown(_ record: TopicRecord, horizon: Int?, now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE concert_topics SET known_at = \(now), horizon = \(horizon)
            WHERE subject_key = \(record.subjectKey) AND topic = \(record.topic.name)
            """)
    }

    func removeTopics(ofSubject key: String) throws {
        try transaction.run("DELETE FROM concert_topics WHERE subject_key = \(key)")
    }

    /// Records that a topic knows a listing.
    func setListing(
        _ eventID: String, of topic: TimelineTopic, _ listing: KnownListing, now: Timestamp
    ) throws {
        try transaction.run(
            """
            INSERT INTO concert_topic_shows (topic, event_id, known_at, is_main, day)
            VALUES (\(topic.name), \(eventID), \(now), \(listing.isMain ? 1 : 0), \(listing.day))
            ON CONFLICT (topic, event_id) DO UPDATE SET is_main = excluded.is_main, day = excluded.day
            """)
    }

    /// Shows news in the timeline of every topic that knows the event as the listing of a show.
    func show(_ news: ShowNews) throws {
        let topics = try transaction.rows(
            "SELECT topic FROM concert_topic_shows WHERE event_id = \(news.eventID) AND is_main = 1 ORDER BY topic"
        ).map { try $0["topic"] as String }
        for topic in topics.compactMap(TimelineTopic.init(ofConcerts:)) { try show(news, in: topic) }
    }

    /// Shows news of an event in a topic's timeline, in place of what it has shown of the event.
    func show(_ news: ShowNews, in topic: TimelineTopic) throws {
        let former: Int64? = try transaction.row(
            "SELECT news FROM concert_topic_shows WHERE topic = \(topic.name) AND event_id = \(news.eventID)")?["news"]
        guard former != news.number else { return }
        if let former { try hide(former, in: topic, now: news.at) }
        let author = try transaction.timeline.author(of: topic)
        try transaction.timeline.insert(.concert, number: news.number, by: [author], moment: news.at)
        try transaction.publish(
            TopicNews(
                kind: .concertNews, subject: "", topics: [author.rawValue], itemID: String(news.number), time: .now()))
        try transaction.run(
            """
            UPDATE concert_topic_shows SET news = \(news.number)
            WHERE topic = \(topic.name) AND event_id = \(news.eventID)
            """)
    }

    /// Removes what a topic's timeline shows of an event.
    func hide(_ eventID: String, in topic: TimelineTopic, now: Timestamp) throws {
        let news: Int64? = try transaction.row(
            "SELECT news FROM concert_topic_shows WHERE topic = \(topic.name) AND event_id = \(eventID)")?["news"]
        guard let news else { return }
        try hide(news, in: topic, now: now)
        try transaction.run(
            """
            UPDATE concert_topic_shows SET news = NULL WHERE topic = \(topic.name) AND event_id = \(eventID)
            """)
    }

    /// Removes news from a topic's timeline.
    private func hide(_ number: Int64, in topic: TimelineTopic, now: Timestamp) throws {
        let row = try transaction.row("SELECT \(ShowNews.columns) FROM concert_news WHERE number = \(number)")
        guard let news = try row.map(ShowNews.init) else { return }
        try transaction.timeline.remove(
            .concert, number: number, id: news.id, by: [try transaction.timeline.author(of: topic)], moment: news.at,
            now: now)
    }

    /// Forgets a listing that no lookup has found since `cutoff`, and removes what the topic's timeline shows of it.
    func forget(_ listing: TopicListing, foundBefore cutoff: PruningTime, now: Timestamp) throws {
        let row = try transaction.row(
            """
            SELECT news FROM concert_topic_shows JOIN concert_events ON concert_events.id = event_id
            WHERE topic = \(listing.topic) AND event_id = \(listing.eventID) AND updated_at < \(cutoff.moment)
            """)
        guard let row else { return }
        if let number: Int64 = try row["news"], let topic = TimelineTopic(ofConcerts: listing.topic) {
            try hide(number, in: topic, now: now)
        }
        try transaction.run(
            "DELETE FROM concert_topic_shows WHERE topic = \(listing.topic) AND event_id = \(listing.eventID)")
    }
}
