import Model
import Storage
import Timeline
import Visibility

/// Who watches what, and who gets the coming shows.
extension ConcertStore {
    /// Whether a person's shows are refreshed.
    package func isReader(userID: String) throws -> Bool {
        try transaction.row("SELECT 1 AS found FROM concert_readers WHERE user_id = \(userID)") != nil
    }

    /// A topic that a person watches: a row of `concert_watches`.
    struct Watch: Hashable {
        var topic: String
        var subjectKey: String
        var part: WatchedTopic.Part
        var name: String
    }

    func watches(userID: String) throws -> [Watch] {
        try transaction.rows(
            "SELECT topic, subject_key, part, name FROM concert_watches WHERE user_id = \(userID) ORDER BY topic"
        ).map { row in
            Watch(
                topic: try row["topic"], subjectKey: try row["subject_key"], part: try row["part"],
                name: try row["name"])
        }
    }

    /// Whether anybody watches a subject.
    ///
    /// - Parameter people: the people who count; `nil` for all. If nobody of them watches it, all who do are read.
    func isWatched(subjectKey: String, by people: PeopleCondition? = nil) throws -> Bool {
        try transaction.row(Self.watching(subjectKey, by: people)) != nil
    }

    static func watching(_ subjectKey: String, by people: PeopleCondition?) -> SQL {
        let among: SQL = people.map { "AND \($0.of("concert_watches.user_id"))" } ?? ""
        return "SELECT 1 AS found FROM concert_watches WHERE subject_key = \(subjectKey) \(among) LIMIT 1"
    }

    /// Those among `people` who watch one of the subjects, in the order of their ids.
    package func watchers(ofSubjects keys: [String], among people: PeopleCondition, limit: Int) throws -> [String] {
        try transaction.rows(Self.watchers(ofSubjects: keys, among: people, limit: limit)).map { try $0["user_id"] }
    }

    static func watchers(ofSubjects keys: [String], among people: PeopleCondition, limit: Int) -> SQL {
        """
        SELECT DISTINCT user_id FROM concert_watches
        WHERE subject_key IN (\(list: keys)) AND \(people.of("concert_watches.user_id"))
        ORDER BY user_id LIMIT \(limit)
        """
    }

    /// The numbers of coming shows that a person got, by their ids. Unknown ids are left out.
    ///
    /// - Parameter ids: at most 500.
    package func numbers(ofComingShows ids: [String], userID: String) throws -> [String: Int64] {
        try transaction.rows(
            """
            SELECT id, number FROM concert_coming_shows WHERE user_id = \(userID) AND id IN (\(list: ids))
            """
        ).reduce(into: [:]) { numbers, row in numbers[try row["id"]] = try row["number"] as Int64 }
    }

    /// The coming shows that people got, by number.
    package func comingShows(_ numbers: [Int64]) throws -> [Int64: ComingShows] {
        guard !numbers.isEmpty else { return [:] }
        return try transaction.rows(
            """
            SELECT number, id, concert_coming_shows.user_id, concert_coming_shows.topic, concert_coming_shows.name, at,
                CASE WHEN concert_watches.topic IS NULL THEN 0 ELSE 1 END AS is_watched
            FROM concert_coming_shows LEFT JOIN concert_watches
                ON concert_watches.user_id = concert_coming_shows.user_id
                AND concert_watches.topic = concert_coming_shows.topic
            WHERE number IN (\(list: numbers))
            """
        ).reduce(into: [:]) { found, row in
            let shows = try ComingShows(row: row)
            found[shows.number] = shows
        }
    }

    /// Watches of people who have not got the coming shows of a topic that is known.
    func owedWatches(limit: Int) throws -> [(userID: String, topic: TimelineTopic)] {
        try transaction.rows(
            """
            SELECT user_id, concert_watches.topic FROM concert_watches
                JOIN concert_topics ON concert_topics.subject_key = concert_watches.subject_key
                AND concert_topics.topic = concert_watches.topic
            WHERE settled_at IS NULL AND known_at IS NOT NULL
            ORDER BY concert_watches.subject_key, user_id LIMIT \(limit)
            """
        ).compactMap { row in
            try TimelineTopic(ofConcerts: try row["topic"]).map { (userID: try row["user_id"], topic: $0) }
        }
    }
}

/// The shows of a topic that were coming when a person began to watch it: a row of `concert_coming_shows`.
package struct ComingShows: Sendable {
    package let number: Int64
    package let id: String
    package let userID: String
    package let topic: String
    /// The artist or the city, as the person wrote it.
    package let name: String
    package let at: Timestamp
    /// Whether the person still watches the topic.
    package let isWatched: Bool

    /// Whether the topic is a city.
    package var isOfCity: Bool { TimelineTopic(ofConcerts: topic)?.homeCity != nil }

    init(row: Row) throws {
        number = try row["number"]
        id = try row["id"]
        userID = try row["user_id"]
        topic = try row["topic"]
        name = try row["name"]
        at = try row["at"]
        isWatched = try row["is_watched"]
    }
}

extension ConcertStore where Access == WriteTransaction {
    func insertReader(userID: String, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO concert_readers (user_id, since) VALUES (\(userID), \(now)) ON CONFLICT DO NOTHING
            """)
    }

    /// A person who has got the coming shows of the topic before does not get them again.
    func insertWatch(_ watch: WatchedTopic, userID: String, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO concert_watches (user_id, topic, subject_key, part, name, settled_at)
            VALUES (\(userID), \(watch.topic.name), \(watch.subjectKey), \(watch.part), \(watch.name),
                CASE WHEN EXISTS (
                    SELECT 1 FROM concert_coming_shows WHERE user_id = \(userID) AND topic = \(watch.topic.name))
                THEN CAST(\(now) AS BIGINT) END)
            ON CONFLICT (user_id, topic) DO UPDATE
            SET subject_key = excluded.subject_key, part = excluded.part, name = excluded.name
            """)
        try transaction.run(
            """
            UPDATE concert_coming_shows SET ended_at = NULL
            WHERE user_id = \(userID) AND topic = \(watch.topic.name) AND ended_at IS NOT NULL
            """)
    }

    func deleteWatch(_ topic: String, userID: String, now: Timestamp) throws {
        try transaction.run("DELETE FROM concert_watches WHERE user_id = \(userID) AND topic = \(topic)")
        try transaction.run(
            "UPDATE concert_coming_shows SET ended_at = \(now) WHERE user_id = \(userID) AND topic = \(topic)")
    }

    /// Deletes coming shows, with their items, of topics that people have not watched since `cutoff`. Whoever watches
    /// such a topic again gets its coming shows like a new one's.
    ///
    /// - Returns: how many.
    func forgetComingShows(endedBefore cutoff: PruningTime, limit: Int, now: Timestamp) throws -> Int {
        let ended = try transaction.map(
            """
            SELECT number, id, user_id, at FROM concert_coming_shows
            WHERE ended_at < \(cutoff.moment) ORDER BY ended_at LIMIT \(limit)
            """
        ) { row in
            (
                number: try row["number"] as Int64, id: try row["id"] as String, userID: try row["user_id"] as String,
                at: try row["at"] as Timestamp
            )
        }
        for shows in ended {
            try transaction.run("DELETE FROM concert_coming_shows WHERE number = \(shows.number)")
            guard let person = try transaction.visibility.key(ofUser: shows.userID) else { continue }
            try transaction.timeline.removeOwn(
                .comingShows, number: shows.number, id: shows.id, for: person, moment: shows.at, now: now)
        }
        return ended.count
    }

    /// Gives the coming shows of a topic to people who are still to get them.
    ///
    /// - Parameter limit: the most people. The others get them by ``ConcertRefreshes/giveOwed()``.
    func giveComingShows(of record: TopicRecord, limit: Int, now: Timestamp) throws {
        let people = try transaction.rows(
            """
            SELECT user_id FROM concert_watches
            WHERE subject_key = \(record.subjectKey) AND settled_at IS NULL AND topic = \(record.topic.name)
            ORDER BY user_id LIMIT \(limit)
            """
        ).map { try $0["user_id"] as String }
        for userID in people { try giveComingShows(of: record.topic, to: userID, now: now) }
    }

    /// Gives a person the coming shows of a topic that is known: an item of the person's own timeline, unless there is
    /// no show, or the person has got it before.
    func giveComingShows(of topic: TimelineTopic, to userID: String, now: Timestamp) throws {
        let owed = try transaction.row(
            """
            UPDATE concert_watches SET settled_at = \(now)
            WHERE user_id = \(userID) AND topic = \(topic.name) AND settled_at IS NULL RETURNING name
            """)
        guard let owed else { return }
        transaction.recordChange(of: [userID], topic: .feedRefresh)
        let today = Int(now.microseconds / 86_400_000_000)
        guard try hasComingShows(topic, from: today), let person = try transaction.visibility.viewer(userID: userID)
        else { return }
        let number = try transaction.nextChange()
        let inserted = try transaction.execute(
            """
            INSERT INTO concert_coming_shows (number, id, user_id, topic, name, at)
            VALUES (\(number), \(UUIDv7.next()), \(userID), \(topic.name), \(try owed["name"] as String), \(now))
            ON CONFLICT DO NOTHING
            """)
        guard inserted == 1 else { return }
        try transaction.timeline.insertOwn(.comingShows, number: number, for: person.key, moment: now)
    }
}
