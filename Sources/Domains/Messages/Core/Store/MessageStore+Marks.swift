import DomainEvents
import Model
import Storage
import Visibility

/// How many messages and requests are new to a person.
package struct UnreadMessages: Sendable, Equatable {
    package var messages = 0
    package var threads = 0
    package var requests = 0

    package init() {}
}

extension MessageStore {
    /// How many messages and requests are new to a viewer, without those of people who cannot be reached.
    package func unread(of viewer: Viewer) throws -> UnreadMessages {
        var unread = UnreadMessages()
        let row = try transaction.row(
            """
            SELECT COUNT(*) AS threads, CAST(COALESCE(SUM(message_sides.unread), 0) AS BIGINT) AS messages
            FROM message_sides JOIN people ON people.key = message_sides.other
            WHERE message_sides.person = \(viewer.key) AND message_sides.unread > 0
                AND \(Facet.act.condition(for: viewer))
            """)
        unread.threads = try row?["threads"] ?? 0
        unread.messages = try row?["messages"] ?? 0
        unread.requests =
            try transaction.row(
                """
                SELECT COUNT(*) AS requests FROM message_sides
                    JOIN message_threads ON message_threads.key = message_sides.thread
                    JOIN people ON people.key = message_sides.other
                WHERE message_sides.person = \(viewer.key) AND message_sides.last_number > 0
                    AND message_threads.state = \(ThreadStanding.request) AND message_threads.asker <> \(viewer.key)
                    AND \(Facet.act.condition(for: viewer))
                """)?["requests"] ?? 0
        return unread
    }
}

extension MessageStore where Access == WriteTransaction {
    /// Moves a person's mark in a thread forward, and ends what they were notified of if they have read everything. A
    /// number that is not above the mark changes nothing, and one above the newest message counts as that of it.
    ///
    /// - Returns: the mark as it is now, and how many messages are new.
    /// - Throws: ``MessageRefusal``.
    package func moveMark(
        to number: Int64, in threadID: String, of userID: String, now: Timestamp
    ) throws -> (number: Int64, unread: Int) {
        let (viewer, thread) = try own(threadID, of: userID, now: now)
        guard thread.state != .request else { throw MessageRefusal.requestPending }
        let mark = min(number, thread.lastNumber)
        guard mark > thread.readNumber else { return (thread.readNumber, thread.unread) }
        let unread: Int =
            try transaction.row(
                """
                SELECT COUNT(*) AS unread FROM messages
                WHERE thread = \(thread.key) AND number > \(mark) AND sender <> \(viewer.key) AND key_id IS NOT NULL
                """)?["unread"] ?? 0
        try touch(thread.key, of: viewer.key, ", read_number = \(mark), unread = \(unread)")
        var changed = [viewer.key]
        if thread.otherReadNumber != nil {
            try touch(thread.key, of: thread.otherKey)
            changed.append(thread.otherKey)
        }
        try recordChange(of: changed)
        if mark == thread.lastNumber {
            for kind in [NotificationKind.message, .sentSong] {
                try transaction.publish(
                    NotificationSubjectWithdrawn(recipientID: userID, kind: kind, subject: thread.id))
            }
        }
        return (mark, unread)
    }
}
