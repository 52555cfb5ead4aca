import Model
import Storage
import Visibility

/// That a message has changed for a person.
package struct MessageChange: Sendable, Equatable {
    package let message: Message
    package let number: Int64
}

/// That a thread has changed for a person.
package struct ThreadChange: Sendable, Equatable {
    package let thread: MessageThread
    package let number: Int64

    /// Whether it is in no list of the person any longer: a request of somebody who cannot be reached.
    package var isGone: Bool { thread.isAsked && thread.state == .closed }
}

/// What programs learn of threads. What happens in a thread is a number in the sides of its two people. What the other
/// person shows (the name, who may write) and whether they are suspended is one row for all who have a thread with them,
/// that of the log of authors: nothing is written for each thread.
extension MessageStore {
    /// The most people of whom a statement asks whether they have changed.
    private static var fewAuthors: Int { 500 }

    /// A viewer's threads that changed after a number, in the order of the changes: in themselves, and by what the other
    /// person shows. Those without a message are left out, which are in no list. That a thread is gone is recorded, but
    /// for a request of somebody who was suspended.
    ///
    /// - Returns: about `limit` changes; fewer only if there are no others.
    package func changedThreads(
        for viewer: Viewer, after change: Int64, limit: Int, now: Timestamp
    ) throws -> [ThreadChange] {
        let acts = try threads(
            where: """
                message_sides.change > \(change) AND message_sides.last_number > 0
                AND (message_sides.is_asked = 0 OR \(Facet.act.condition(for: viewer)))
                """,
            end: " ORDER BY message_sides.change LIMIT \(limit)", for: viewer, now: now
        ).map { ThreadChange(thread: $0, number: $0.change) }
        // Whatever changed later than a full page of these is on a later page.
        let end: Int64 = acts.count < limit ? .max : acts.last?.number ?? .max
        let others = try threadsOfChangedPeople(for: viewer, after: change, through: end, limit: limit, now: now)
        let found = (acts + others).sorted { ($0.number, $0.thread.key) < ($1.number, $1.thread.key) }
        guard found.count > limit else { return found }
        // The next page begins after a number, so all changes of the last number are on this one.
        let last = found[limit - 1].number
        return Array(found.prefix { $0.number <= last })
    }

    /// A viewer's threads with people who show something else, or were suspended or reinstated, after a number.
    ///
    /// Whoever was blocked, or has asked somebody who is private by now, gets nothing of what the other one does: it would
    /// tell them that this is no erasure. The beginning of an erasure is left out as well: the thread changes once, when
    /// the side of the erased person is deleted, as it does by a block.
    private func threadsOfChangedPeople(
        for viewer: Viewer, after change: Int64, through end: Int64, limit: Int, now: Timestamp
    ) throws -> [ThreadChange] {
        let authors = try transaction.latestAuthors(changedAfter: change, .profile, limit: Self.fewAuthors)
        guard !authors.isEmpty else { return [] }
        // Where many have changed, the viewer's threads are fewer.
        let isAmongThem: SQL =
            authors.count < Self.fewAuthors ? "AND message_sides.other IN (\(list: authors.map(\.author)))" : ""
        let condition: SQL = """
            their_log.profile_change > \(change) AND their_log.profile_change <= \(end)
            AND message_sides.last_number > 0
            AND \(MessageThread.isReachable(for: viewer, in: [.active, .suspended]))
            """
        return try threads(
            where: condition + " " + isAmongThem,
            end: " ORDER BY their_log.profile_change, message_sides.thread LIMIT \(limit)", for: viewer, now: now
        ).map { ThreadChange(thread: $0, number: $0.otherChange) }
    }

    /// Those of viewers who read together of whom no thread has changed by what another person shows. The others read
    /// alone, and so does everybody after whose position too many people have changed.
    package func viewersWithoutChangedPeople(_ positions: [ViewerPosition]) throws -> Set<ViewerPosition> {
        let latest = try LatestAuthors(.profile, for: positions, in: transaction)
        guard !latest.changes.isEmpty else { return Set(latest.positions) }
        var concerned: Set<PersonKey> = []
        for part in Set(latest.positions.map(\.viewer.key)).listParts {
            let rows = try transaction.rows(
                """
                SELECT DISTINCT person FROM message_sides
                WHERE person IN (\(list: part)) AND other IN (\(list: latest.changes.keys))
                """)
            for row in rows { concerned.insert(try row["person"]) }
        }
        return Set(latest.positions.filter { !concerned.contains($0.viewer.key) })
    }

    /// Those among `people` who have a thread with one of the authors.
    package func correspondents(of authors: Set<Int64>, among people: Set<String>) throws -> Set<String> {
        var found: Set<String> = []
        for part in people.listParts {
            found.formUnion(
                try transaction.map(
                    """
                    SELECT people.user_id FROM people
                    WHERE people.user_id IN (\(list: part)) AND people.state = 0 AND EXISTS (
                        SELECT 1 FROM message_sides
                        WHERE message_sides.person = people.key AND message_sides.other IN (\(list: authors))
                            AND message_sides.last_number > 0)
                    """
                ) { try $0["user_id"] as String })
        }
        return found
    }

    /// The messages of a viewer's threads that changed after a number, in the order of the changes, without those of
    /// requests that the viewer has not accepted.
    package func changedMessages(for viewer: Viewer, after change: Int64, limit: Int) throws -> [MessageChange] {
        let found = try ["messages.sender" as SQL, "messages.recipient"].flatMap { column in
            try changedMessages(where: "\(column) = \(viewer.key)", for: viewer, after: change, limit: limit)
        }
        return Array(found.sorted { $0.number < $1.number }.prefix(limit))
    }

    private func changedMessages(
        where condition: SQL, for viewer: Viewer, after change: Int64, limit: Int
    ) throws -> [MessageChange] {
        try transaction.map(
            """
            SELECT messages.change AS change, message_threads.id AS thread_id, \(Message.columns),
                CASE WHEN people.state = 0 AND EXISTS (
                        SELECT 1 FROM blocks
                        WHERE blocks.blocker = \(viewer.key) AND blocks.blocked = message_sides.other)
                    OR \(Facet.act.condition(for: viewer)) THEN 1 ELSE 0 END AS is_readable
            FROM messages CROSS JOIN message_sides CROSS JOIN message_threads
                LEFT JOIN people ON people.key = message_sides.other
            WHERE \(condition) AND messages.change > \(change) AND message_sides.person = \(viewer.key)
                AND message_sides.thread = messages.thread AND message_threads.key = messages.thread
                AND messages.number > message_sides.hidden_number
                AND (message_threads.state <> \(ThreadStanding.request) OR message_threads.asker = \(viewer.key))
            ORDER BY messages.change LIMIT \(limit)
            """
        ) { row in
            let isReadable: Bool = try row["is_readable"]
            return MessageChange(
                message: try Message(
                    row: row, threadID: try row["thread_id"], viewer: viewer.key, isHidden: !isReadable),
                number: try row["change"])
        }
    }
}
