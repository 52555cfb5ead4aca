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
                SELECT COUNT(*) AS requests FROM message_sides JOIN people ON people.key = message_sides.other
                WHERE message_sides.person = \(viewer.key) AND message_sides.is_asked = 1
                    AND message_sides.last_number > 0 AND \(Facet.act.condition(for: viewer))
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
        guard thread.state != .request else { throw MessageRefusal.requestNotAccepted }
        let mark = min(number, thread.lastNumber)
        guard mark > thread.readNumber else { return (thread.readNumber, thread.unread) }
        let isEnd = mark == thread.lastNumber
        // Each message is counted once, however many marks there are.
        let passed = try isEnd ? thread.unread : countReceived(in: thread, by: viewer, through: mark)
        var moved: SQL = ", read_number = \(mark), unread = 0"
        if !isEnd {
            moved = """
                , read_number = \(mark), unread = CASE WHEN unread > \(passed) THEN unread - \(passed) ELSE 0 END
                """
        }
        try touch(thread.key, of: viewer.key, moved)
        var changed = [viewer.key]
        if thread.otherReadNumber != nil {
            try touch(thread.key, of: thread.otherKey)
            changed.append(thread.otherKey)
        }
        try recordChange(of: changed)
        if isEnd { try withdrawNotifications(of: thread, for: userID) }
        return (mark, max(0, thread.unread - passed))
    }

    /// How many messages of the other person there are after a viewer's mark and up to a number, which are not deleted.
    private func countReceived(in thread: MessageThread, by viewer: Viewer, through number: Int64) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS passed FROM messages
            WHERE thread = \(thread.key) AND number > \(max(thread.readNumber, thread.hiddenNumber))
                AND number <= \(number) AND sender <> \(viewer.key) AND key_id IS NOT NULL
            """)?["passed"] ?? 0
    }

    /// Ends what a person was notified of by the messages of a thread.
    func withdrawNotifications(of thread: MessageThread, for userID: String) throws {
        for kind in [NotificationKind.message, .sentSong] {
            try transaction.publish(
                NotificationSubjectWithdrawn(recipientID: userID, kind: kind, subject: thread.id))
        }
    }
}
