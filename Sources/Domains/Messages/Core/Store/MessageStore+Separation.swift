import Model
import Storage
import Timeline
import Visibility

/// What becomes of a thread when one of its people blocks the other, ends a block, or is erased. Whoever was blocked
/// learns the same as of an erasure.
extension MessageStore where Access == WriteTransaction {
    /// Closes the thread of two people of whom one blocks the other: nothing is unread or asked any longer. How far each
    /// has read stays, since the other one may see it again after an unblock.
    func separate(_ one: PersonKey, _ other: PersonKey, now: Timestamp) throws {
        guard let thread = try threadKey(of: one, and: other) else { return }
        try endPendingRequest(of: thread, now: now)
        try close(thread, for: [one, other])
    }

    /// Has the programs of two people read their thread again, since it shows more or less of the messages.
    func reset(threadOf one: PersonKey, _ other: PersonKey) throws {
        guard let thread = try threadKey(of: one, and: other) else { return }
        try close(thread, for: [one, other])
    }

    private func close(_ thread: Int64, for people: [PersonKey]) throws {
        for person in people {
            let change = try transaction.nextChange()
            try transaction.run(
                """
                UPDATE message_sides
                SET unread = 0, reset_change = \(change), change = \(change)
                WHERE person = \(person) AND thread = \(thread)
                """)
        }
        try recordChange(of: people)
    }

    /// Ends the request of a thread for the person who was asked.
    private func endPendingRequest(of thread: Int64, now: Timestamp) throws {
        let row = try transaction.row(
            """
            SELECT message_threads.id AS id, message_sides.person AS asked
            FROM message_threads JOIN message_sides
                ON message_sides.thread = message_threads.key AND message_sides.person =
                    CASE WHEN message_threads.asker = message_threads.first_key
                        THEN message_threads.second_key ELSE message_threads.first_key END
            WHERE message_threads.key = \(thread) AND message_threads.state = \(ThreadStanding.request)
            """)
        guard let row else { return }
        try endRequest(of: thread, id: try row["id"], for: try row["asked"], now: now)
    }

    // MARK: Erasures

    /// Empties a message of a person who is being erased. The other one learns of it with the thread.
    func eraseMessage(_ number: Int64, of sender: PersonKey) throws {
        let row = try transaction.row(
            "SELECT recipient, sent_at, has_song FROM messages WHERE number = \(number) AND sender = \(sender)")
        guard let row else { return }
        try transaction.run(
            """
            UPDATE messages SET sender = 0, client = NULL, body = 0, has_song = 0, key_id = NULL, sealed = NULL
            WHERE number = \(number) AND sender = \(sender)
            """)
        guard try row["has_song"] else { return }
        let id = MessageID(number: number, milliseconds: try row["sent_at"])
        try transaction.timeline.eraseOwn(.sentSong, number: number, for: try row["recipient"], moment: id.moment)
    }

    /// Has a message no longer name a person who is being erased, to whom it was sent.
    func eraseRecipient(of number: Int64, person: PersonKey) throws {
        try transaction.run("UPDATE messages SET recipient = 0 WHERE number = \(number) AND recipient = \(person)")
    }

    /// Deletes the side of a person who is being erased. The other one keeps the thread; when they are gone as well, it
    /// is deleted, some messages at a time.
    func eraseSide(of thread: Int64, person: PersonKey) throws {
        let other: PersonKey? = try transaction.row(
            """
            SELECT message_sides.person AS person FROM message_threads JOIN message_sides
                ON message_sides.thread = message_threads.key AND message_sides.person =
                    CASE WHEN message_threads.first_key = \(person)
                        THEN message_threads.second_key ELSE message_threads.first_key END
            WHERE message_threads.key = \(thread)
            """)?["person"]
        if let other {
            try endPendingRequest(of: thread, now: .now())
            try transaction.run("DELETE FROM message_sides WHERE person = \(person) AND thread = \(thread)")
            return try close(thread, for: [other])
        }
        let count = try transaction.execute(
            """
            DELETE FROM messages WHERE number IN (
                SELECT number FROM messages WHERE thread = \(thread) ORDER BY number LIMIT \(Self.messagesAtOnce))
            """)
        guard count < Self.messagesAtOnce else { return }
        try transaction.run("DELETE FROM message_sides WHERE person = \(person) AND thread = \(thread)")
        try transaction.run("DELETE FROM message_threads WHERE key = \(thread)")
    }

    private static var messagesAtOnce: Int { 20 }
}
