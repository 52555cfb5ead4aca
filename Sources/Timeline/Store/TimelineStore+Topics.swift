import Model
import Storage
import Visibility

extension TimelineStore {
    /// The most topics that a person reads for one reason; later ones are left out.
    package static var maximumTopics: Int { 500 }

    /// The topics that a person reads, for any reason.
    package func topics(readBy person: PersonKey) throws -> Set<TimelineTopic> {
        Set(
            try transaction.map(
                """
                SELECT timeline_topics.name AS name
                FROM timeline_topic_readers JOIN timeline_topics
                    ON timeline_topics.key = timeline_topic_readers.topic
                WHERE timeline_topic_readers.person = \(person)
                """
            ) { TimelineTopic(name: try $0["name"]) })
    }

    /// Those of the topics that somebody else reads than a person, and than those whose erasure has begun.
    ///
    /// - Parameter person: `nil` for somebody who is gone.
    package func topics(
        _ topics: [TimelineTopic], readByOthersThan person: PersonKey?
    ) throws -> Set<TimelineTopic> {
        try topics.listParts.reduce(into: []) { read, part in
            read.formUnion(
                try transaction.map(
                    """
                    SELECT timeline_topics.name AS name FROM timeline_topics
                    WHERE timeline_topics.name IN (\(list: part.map(\.name))) AND EXISTS (
                        SELECT 1 FROM timeline_topic_readers JOIN people
                            ON people.key = timeline_topic_readers.person
                        WHERE timeline_topic_readers.topic = timeline_topics.key
                            AND timeline_topic_readers.person <> \(person?.rawValue ?? 0)
                            AND people.state <> \(Person.State.gone))
                    """
                ) { TimelineTopic(name: try $0["name"]) })
        }
    }

    /// Those among `people` who read one of the topics.
    ///
    /// - Parameter authors: the keys of topics; those of people are left out.
    package func readers(of authors: Set<Int64>, among people: Set<String>) throws -> Set<String> {
        let topics = authors.filter { $0 < 0 }
        guard !topics.isEmpty else { return [] }
        var readers: Set<String> = []
        for part in people.listParts {
            readers.formUnion(
                try transaction.map(
                    """
                    SELECT people.user_id FROM people
                    WHERE people.user_id IN (\(list: part)) AND people.state = 0 AND EXISTS (
                        SELECT 1 FROM timeline_topic_readers
                        WHERE timeline_topic_readers.person = people.key
                            AND timeline_topic_readers.topic IN (\(list: topics)))
                    """
                ) { try $0["user_id"] as String })
        }
        return readers
    }

    /// The people who read any of the topics, in the order of their keys.
    ///
    /// - Parameters:
    ///   - topics: at most some dozens.
    ///   - person: begins after this one.
    /// - Returns: their keys and ids; an empty id for somebody who is being erased.
    package func readers(
        of topics: [TimelineAuthor], after person: PersonKey, limit: Int
    ) throws -> [(key: PersonKey, userID: String)] {
        var keys: Set<Int64> = []
        for topic in topics {
            try transaction.forEachRow(
                """
                SELECT DISTINCT person FROM timeline_topic_readers
                WHERE topic = \(topic) AND person > \(person) ORDER BY person LIMIT \(limit)
                """
            ) { row in
                keys.insert(try row["person"])
                return .continue
            }
        }
        let first = keys.sorted().prefix(limit).map(PersonKey.init(rawValue:))
        let userIDs = try transaction.visibility.userIDs(of: first)
        return first.map { ($0, userIDs[$0] ?? "") }
    }

    /// Topics that nobody reads and that have no items, in the order of their keys.
    ///
    /// - Parameters:
    ///   - topic: looks at the topics after this one; `nil` begins with the first.
    ///   - limit: how many topics it looks at.
    /// - Returns: these, and the last topic that it looked at; `nil` after the last of all.
    package func unusedTopics(
        after topic: TimelineAuthor?, limit: Int
    ) throws -> (topics: [TimelineAuthor], last: TimelineAuthor?) {
        let rows = try transaction.map(
            """
            SELECT key, CASE WHEN \(Self.isUnused) THEN 1 ELSE 0 END AS is_unused
            FROM timeline_topics WHERE key > \(topic?.rawValue ?? .min) ORDER BY key LIMIT \(limit)
            """
        ) { row in (topic: TimelineAuthor(rawValue: try row["key"]), isUnused: try row["is_unused"] as Bool) }
        return (rows.filter(\.isUnused).map(\.topic), rows.count < limit ? nil : rows.last?.topic)
    }

    fileprivate static var isUnused: SQL {
        """
        NOT EXISTS (SELECT 1 FROM timeline_topic_readers WHERE timeline_topic_readers.topic = timeline_topics.key)
        AND NOT EXISTS (SELECT 1 FROM timeline_latest WHERE timeline_latest.author = timeline_topics.key)
        """
    }
}

extension TimelineStore where Access == WriteTransaction {
    /// The author that stands for a topic. A new topic gets one.
    package func author(of topic: TimelineTopic) throws -> TimelineAuthor {
        if let key: Int64 = try transaction.row(
            "SELECT key FROM timeline_topics WHERE name = \(topic.name)")?["key"]
        {
            return TimelineAuthor(rawValue: key)
        }
        // A change number is never given twice, so that a row that outlives its topic belongs to none.
        let key = 0 - (try transaction.nextChange())
        try transaction.run("INSERT INTO timeline_topics (key, name) VALUES (\(key), \(topic.name))")
        return TimelineAuthor(rawValue: key)
    }

    /// Sets which topics a person reads for a reason, from this moment on all pages. Nothing is written for somebody
    /// whose erasure has begun.
    package func setTopics(
        _ topics: some Sequence<TimelineTopic>, of userID: String, because reason: TopicReason
    ) throws {
        guard let reader = try transaction.visibility.person(userID: userID), reader.state != .gone else { return }
        let person = reader.key
        var read: [Int64: Set<TopicReason>] = [:]
        for row in try transaction.rows(
            "SELECT topic, reason FROM timeline_topic_readers WHERE person = \(person)")
        {
            guard let known = TopicReason(rawValue: try row["reason"]) else { continue }
            read[try row["topic"], default: []].insert(known)
        }
        var wanted: Set<Int64> = []
        for topic in Array(topics).prefix(Self.maximumTopics) {
            wanted.insert(try author(of: topic).rawValue)
        }
        for topic in wanted where read[topic]?.contains(reason) != true {
            try transaction.run(
                """
                INSERT INTO timeline_topic_readers (person, topic, reason) VALUES (\(person), \(topic), \(reason))
                """)
        }
        let ended = read.filter { $0.value.contains(reason) && !wanted.contains($0.key) }.keys
        for topic in ended {
            try transaction.run(
                """
                DELETE FROM timeline_topic_readers
                WHERE person = \(person) AND topic = \(topic) AND reason = \(reason)
                """)
        }
        let hasNew = wanted.contains { read[$0] == nil }
        guard hasNew || ended.contains(where: { read[$0] == [reason] }) else { return }
        try recordReset(of: person)
    }

    /// Ends that a person who is being erased reads a topic, and deletes a topic that nobody reads any longer and that
    /// has no items.
    func removeReader(_ person: PersonKey, of topic: TimelineAuthor) throws {
        try transaction.run("DELETE FROM timeline_topic_readers WHERE person = \(person) AND topic = \(topic)")
        _ = try deleteUnused([topic], limit: 1)
    }

    /// Deletes a topic that nobody reads and that has no items.
    package func deleteUnused(_ topic: TimelineTopic) throws {
        guard
            let key: Int64 = try transaction.row("SELECT key FROM timeline_topics WHERE name = \(topic.name)")?["key"]
        else { return }
        _ = try deleteUnused([TimelineAuthor(rawValue: key)], limit: 1)
    }

    /// Deletes those of topics that nobody reads and that have no items.
    ///
    /// - Parameter limit: of the topics that are deleted.
    /// - Returns: how many were deleted.
    package func deleteUnused(_ topics: some Sequence<TimelineAuthor>, limit: Int) throws -> Int {
        let topics = Array(topics)
        guard !topics.isEmpty else { return 0 }
        let unused = try transaction.map(
            """
            SELECT key FROM timeline_topics WHERE key IN (\(list: topics)) AND \(Self.isUnused) LIMIT \(limit)
            """
        ) { try $0["key"] as Int64 }
        for key in unused {
            try transaction.run("DELETE FROM timeline_topics WHERE key = \(key)")
            try transaction.run("DELETE FROM author_log WHERE author = \(key)")
        }
        return unused.count
    }
}
