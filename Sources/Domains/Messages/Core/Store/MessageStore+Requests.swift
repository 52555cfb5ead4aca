import DomainEvents
import Model
import Storage
import Timeline
import Visibility

extension MessageStore where Access == WriteTransaction {
    /// Accepts the request of a thread. It has no further effect when the two write to each other already.
    ///
    /// - Throws: ``MessageRefusal/unknownThread`` also for a thread without a request of the other person.
    package func accept(_ threadID: String, by userID: String, now: Timestamp) throws {
        let (viewer, thread) = try own(threadID, of: userID, now: now)
        if thread.state == .open { return }
        guard thread.state == .request else { throw MessageRefusal.unknownThread }
        try setStanding(.open, of: thread.key, now: now)
        try open(thread, askedBy: thread.otherKey, of: viewer.key, userID: viewer.userID, now: now)
    }

    /// What changes when a thread with a request is opened: the messages of the request arrive.
    ///
    /// - Parameters:
    ///   - asked: the one of the two who was asked.
    ///   - userID: that of who was asked.
    func open(
        _ thread: MessageThread, askedBy asker: PersonKey, of asked: PersonKey, userID: String, now: Timestamp
    ) throws {
        // There are few: one for each time that the other person has asked since the last answer.
        let messages = try transaction.map(
            """
            SELECT messages.number AS number, messages.sent_at AS sent_at, messages.has_song AS has_song
            FROM messages JOIN message_sides ON message_sides.thread = messages.thread
            WHERE messages.thread = \(thread.key) AND message_sides.person = \(asked)
                AND messages.number > message_sides.hidden_number AND messages.sender = \(asker)
                AND messages.key_id IS NOT NULL
            ORDER BY messages.number
            """
        ) { row in
            (
                id: MessageID(number: try row["number"], milliseconds: try row["sent_at"]),
                hasSong: try row["has_song"] as Bool
            )
        }
        for message in messages {
            try transaction.run(
                "UPDATE messages SET change = \(try transaction.nextChange()) WHERE number = \(message.id.number)")
            guard message.hasSong else { continue }
            try transaction.timeline.insertOwn(
                .sentSong, number: message.id.number, for: asked, moment: message.id.moment)
        }
        // The items have the numbers of earlier changes, which programs may have read beyond.
        if messages.contains(where: { $0.hasSong }) { try transaction.timeline.recordReset(of: asked) }
        try touch(thread.key, of: asked, ", is_asked = 0, unread = \(messages.count)")
        try touch(thread.key, of: asker)
        try withdrawRequest(thread.id, of: userID)
        try recordChange(of: [asked, asker])
    }

    /// Declines the request of a thread. Who asked is not told.
    ///
    /// - Throws: ``MessageRefusal/unknownThread`` also for a thread without a request of the other person.
    package func decline(_ threadID: String, by userID: String, now: Timestamp) throws {
        let (viewer, thread) = try own(threadID, of: userID, now: now)
        guard thread.state == .request else { throw MessageRefusal.unknownThread }
        try endRequest(of: thread.key, id: thread.id, for: viewer.key, now: now)
    }

    /// A request is gone for the person who was asked. Nothing changes for who asked.
    func endRequest(of thread: Int64, id: String, for asked: PersonKey, now: Timestamp) throws {
        try setStanding(.declined, of: thread, now: now)
        try touch(thread, of: asked, ", is_asked = 0, hidden_number = last_number, last_number = 0, unread = 0")
        guard let userID = try transaction.visibility.userIDs(of: [asked])[asked] else { return }
        try transaction.recordGone(.thread, ids: [id], userID: userID, now: now)
        try withdrawRequest(id, of: userID)
    }

    private func withdrawRequest(_ threadID: String, of userID: String) throws {
        try transaction.publish(
            NotificationWithdrawn(recipientID: userID, kind: .messageRequest, itemID: threadID))
    }
}
