import DomainEvents
import Model
import Storage
import Timeline
import Vault
import Visibility

extension MessageStore {
    /// A message of a viewer's thread, as the viewer sees it.
    package func message(_ id: MessageID, in thread: MessageThread, for viewer: Viewer) throws -> Message? {
        try transaction.row(
            """
            SELECT \(Message.columns) FROM messages
            WHERE number = \(id.number) AND sent_at = \(id.milliseconds) AND thread = \(thread.key)
                AND number > \(thread.hiddenNumber)
            """
        ).map { try Message(row: $0, threadID: thread.id, viewer: viewer.key, isHidden: thread.isHidden) }
    }

    /// A message of one of a viewer's threads, as the viewer sees it at this moment.
    package func message(_ id: MessageID, for viewer: Viewer, now: Timestamp) throws -> Message? {
        let isOfMessage: SQL = """
            message_sides.thread = (SELECT wanted.thread FROM messages AS wanted WHERE wanted.number = \(id.number))
            """
        guard let thread = try threads(where: isOfMessage, for: viewer, now: now).first else { return nil }
        return try message(id, in: thread, for: viewer)
    }
}

/// A message of another person, with what it contains, and who that is.
package struct ReceivedMessage: Sendable {
    package let message: Message
    package let content: MessageContent
    package let senderID: String
}

extension MessageStore where Access == WriteTransaction {
    /// A message that somebody has sent to the person, who may report it.
    ///
    /// - Throws: ``MessageRefusal``; `TextKeyError`.
    package func received(
        _ id: MessageID, in threadID: String, by userID: String, openedBy keys: CurrentTextKeys, now: Timestamp
    ) throws -> ReceivedMessage {
        let (viewer, thread) = try own(threadID, of: userID, now: now)
        guard let message = try message(id, in: thread, for: viewer), !message.isMine,
            let content = try message.content(keys), let senderID = thread.other?.userID
        else { throw MessageRefusal.unknownMessage }
        return ReceivedMessage(message: message, content: content, senderID: senderID)
    }

    /// Deletes the content of a person's own message, for both. The message stays in its place. The same again changes
    /// nothing.
    ///
    /// - Throws: ``MessageRefusal``.
    package func delete(_ id: MessageID, in threadID: String, by userID: String, now: Timestamp) throws {
        let (viewer, thread) = try own(threadID, of: userID, now: now)
        guard let message = try message(id, in: thread, for: viewer), message.isMine else {
            throw MessageRefusal.unknownMessage
        }
        guard message.state == .shown else { return }
        let hasSong: Bool =
            try transaction.row("SELECT has_song FROM messages WHERE number = \(id.number)")?["has_song"] ?? false
        try transaction.run(
            """
            UPDATE messages SET key_id = NULL, sealed = NULL, has_song = 0, change = \(try transaction.nextChange())
            WHERE number = \(id.number) AND sender = \(viewer.key)
            """)
        let other = thread.otherKey
        try touch(thread.key, of: viewer.key)
        let isPending: Bool =
            try transaction.row(
                """
                SELECT CASE WHEN state = \(ThreadStanding.request) AND asker = \(viewer.key) THEN 1 ELSE 0 END
                    AS pending
                FROM message_threads WHERE key = \(thread.key)
                """)?["pending"] ?? false
        if isPending, try !hasContents(of: thread.key, by: viewer.key, for: other) {
            try endRequest(of: thread.key, id: thread.id, for: other, now: now)
        } else {
            try touch(
                thread.key, of: other,
                """
                , unread = CASE WHEN unread > 0 AND read_number < \(id.number) AND hidden_number < \(id.number)
                    THEN unread - 1 ELSE unread END
                """)
        }
        try recordChange(of: [viewer.key, other])
        guard let otherID = try transaction.visibility.userIDs(of: [other])[other] else { return }
        for kind in [NotificationKind.message, .sentSong] {
            try transaction.publish(
                NotificationWithdrawn(recipientID: otherID, kind: kind, itemID: String(id.number)))
        }
        if hasSong {
            try transaction.timeline.removeOwn(
                .sentSong, number: id.number, id: id.text, for: other, moment: id.moment, now: now)
        }
    }

    /// Whether a person has a message with a content in a thread that the other one sees: not one of a request that was
    /// declined.
    private func hasContents(of thread: Int64, by sender: PersonKey, for other: PersonKey) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM message_sides JOIN messages
                ON messages.thread = message_sides.thread AND messages.number > message_sides.hidden_number
            WHERE message_sides.person = \(other) AND message_sides.thread = \(thread)
                AND messages.sender = \(sender) AND messages.key_id IS NOT NULL LIMIT 1
            """) != nil
    }
}
