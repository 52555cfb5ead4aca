import Model
import Storage
import Visibility

/// That a message has changed for a person.
package struct MessageChange: Sendable, Equatable {
    package let message: Message
    package let number: Int64
}

extension MessageStore {
    /// A viewer's threads that changed after a number, in the order of the changes. Those that are in no list are left
    /// out: without a message, and requests of people who cannot be reached. That one is gone is recorded.
    package func changedThreads(
        for viewer: Viewer, after change: Int64, limit: Int, now: Timestamp
    ) throws -> [MessageThread] {
        try threads(
            where: """
                message_sides.change > \(change) AND message_sides.last_number > 0
                AND (message_sides.is_asked = 0 OR \(Facet.act.condition(for: viewer)))
                """,
            end: " ORDER BY message_sides.change LIMIT \(limit)", for: viewer, now: now)
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
