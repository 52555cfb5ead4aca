import Crypto
import DomainEvents
import Foundation
import Model
import Platform
import Storage
import Timeline
import Vault
import Visibility

/// What became of a draft.
package enum MessageOutcome: Sendable, Equatable {
    case sent(Message)
    /// The same draft was sent before. The message may have been deleted since.
    case known(Message)
}

extension MessageStore {
    /// The message that a draft has made before; `nil` for a new draft.
    ///
    /// - Throws: ``MessageRefusal``; `TextKeyError`.
    package func message(
        of draft: MessageDraft, in threadID: String, by userID: String, openedBy keys: CurrentTextKeys, now: Timestamp
    ) throws -> Message? {
        guard let viewer = try transaction.visibility.viewer(userID: userID),
            let thread = try thread(threadID, for: viewer, now: now)
        else { throw MessageRefusal.unknownThread }
        guard let secret = try secret(openedBy: keys) else { return nil }
        return try message(of: draft, with: try secret.hash(draft), in: thread, by: viewer)
    }

    /// The message that a draft has made before.
    ///
    /// - Throws: ``MessageRefusal/otherMessage`` when another draft had the same id.
    private func message(
        of draft: MessageDraft, with body: Int64, in thread: MessageThread, by viewer: Viewer
    ) throws -> Message? {
        let row = try transaction.row(
            """
            SELECT messages.body AS body, \(Message.columns) FROM messages
            WHERE thread = \(thread.key) AND sender = \(viewer.key) AND client = \(draft.clientID)
            """)
        guard let row else { return nil }
        guard try row["body"] == body else { throw MessageRefusal.otherMessage }
        return try Message(row: row, threadID: thread.id, viewer: viewer.key, isHidden: false)
    }

    /// The key of the hashes by which repeated requests are recognized; `nil` before the first message, and where the
    /// key that sealed it was lost: what was sent before is then not recognized any longer.
    private func secret(openedBy keys: CurrentTextKeys) throws -> MessageSecret? {
        let row = try transaction.row(
            "SELECT key_id, sealed FROM message_secrets WHERE id = \(MessageSecret.id)")
        guard let row else { return nil }
        let sealed = SealedText(keyID: try row["key_id"], bytes: try row["sealed"])
        do {
            guard let secret = MessageSecret(try keys.open(sealed, as: MessageSecret.name)) else {
                throw TextKeyError.doesNotOpen
            }
            return secret
        } catch TextKeyError.unknownKey {
            return nil
        }
    }
}

extension MessageStore where Access == WriteTransaction {
    /// Sends a message, with all of its effects. The same draft again changes nothing.
    ///
    /// - Parameters:
    ///   - song: what is shown of the draft's song. It is asked for a new draft only: the song of an earlier one may be
    ///     gone.
    ///   - zone: the time zone of the sender's profile.
    /// - Throws: ``MessageRefusal``; `ActLimitReached`; `TextKeyError`.
    package func send(
        _ draft: MessageDraft, showing song: @autoclosure () throws -> MessageSong?, in threadID: String,
        by userID: String, zone: String?, sealedBy keys: CurrentTextKeys, now: Timestamp
    ) throws -> MessageOutcome {
        let (viewer, thread) = try own(threadID, of: userID, now: now)
        let body = try secret(sealedBy: keys).hash(draft)
        if let known = try message(of: draft, with: body, in: thread, by: viewer) { return .known(known) }
        let other = thread.otherKey
        switch thread.writing {
        case .free, .request: break
        case .waiting: throw MessageRefusal.requestPending
        case .refused: throw MessageRefusal.messagesRefused
        case .closed: throw MessageRefusal.threadClosed
        }
        guard let otherID = thread.other?.userID else { throw MessageRefusal.threadClosed }
        let song = try song()
        let isRequest = thread.writing == .request
        let fullAt = try count(thread, by: viewer, now: now)
        switch thread.state {
        case .request: try open(thread, askedBy: other, of: viewer.key, userID: userID, now: now)
        // Who was asked follows the one who has asked by now.
        case .requested where !isRequest:
            try open(thread, askedBy: viewer.key, of: other, userID: otherID, now: now)
        default: break
        }
        let sent = try insert(
            draft, MessageContent(text: draft.text, song: song), body: body, in: thread, by: viewer, sealedBy: keys,
            now: now)
        if isRequest || thread.state != .open {
            try setStanding(isRequest ? .request : .open, of: thread.key, asker: isRequest ? viewer.key : nil, now: now)
        }
        let number = sent.id.number
        try touch(
            thread.key, of: viewer.key,
            ", last_number = \(number), read_number = \(number), unread = 0, sent = sent + 1, full_at = \(fullAt)")
        // Those of a request count once it is accepted.
        try touch(
            thread.key, of: other,
            ", last_number = \(number), is_asked = \(isRequest), unread = unread + \(isRequest ? 0 : 1)")
        // Whoever writes has read the thread to its end.
        if thread.unread > 0 { try withdrawNotifications(of: thread, for: userID) }
        let act = ActDay(now, zone: zone)
        try transaction.run(
            """
            INSERT INTO message_acts (actor, other, day, zone)
            VALUES (\(viewer.key), \(other), \(act.day), \(act.zone)) ON CONFLICT (actor, other, day) DO NOTHING
            """)
        if song != nil, !isRequest {
            try transaction.timeline.insertOwn(.sentSong, number: number, for: other, moment: sent.id.moment)
        }
        try transaction.publish(
            PersonNotified(
                recipientID: otherID, kind: isRequest ? .messageRequest : song == nil ? .message : .sentSong,
                subject: isRequest ? "" : thread.id, actorID: userID,
                itemID: isRequest ? thread.id : String(number), time: now))
        try transaction.visibility.recordAcquaintance(between: viewer.key, and: other)
        transaction.recordChange(of: [userID, otherID], topic: .messages)
        return .sent(sent)
    }

    /// Counts a message against its limits.
    ///
    /// - Returns: when the sender may write to the other person as often as the limit again.
    /// - Throws: `ActLimitReached`.
    private func count(_ thread: MessageThread, by viewer: Viewer, now: Timestamp) throws -> Timestamp {
        let fullAt: Timestamp? = try transaction.row(
            "SELECT full_at FROM message_sides WHERE person = \(viewer.key) AND thread = \(thread.key)")?["full_at"]
        let end = try ActLimit.messagesToOne.fullAt(afterActAt: now, fullAt: fullAt)
        try transaction.visibility.count(ActLimit.messages, by: viewer.key, now: now)
        return end
    }

    private func insert(
        _ draft: MessageDraft, _ content: MessageContent, body: Int64, in thread: MessageThread, by viewer: Viewer,
        sealedBy keys: CurrentTextKeys, now: Timestamp
    ) throws -> Message {
        let id = MessageID(number: try transaction.nextChange(), milliseconds: max(0, now.microseconds / 1_000))
        let sender = viewer.key.rawValue
        let sealed = try keys.seal(
            try JSONColumn.encode(content), as: MessageContent.name(number: id.number, sender: sender),
            in: transaction)
        try transaction.run(
            """
            INSERT INTO messages (
                number, thread, sender, recipient, client, body, sent_at, has_song, key_id, sealed, change)
            VALUES (
                \(id.number), \(thread.key), \(viewer.key), \(thread.otherKey), \(draft.clientID), \(body),
                \(id.milliseconds), \(content.song != nil), \(sealed.keyID), \(sealed.bytes), \(id.number))
            """)
        return Message(
            id: id, threadID: thread.id, isMine: true, clientID: draft.clientID, state: .shown, sender: sender,
            sealed: sealed)
    }

    /// - Parameter asker: who asks; `nil` leaves who has asked last as it is.
    func setStanding(_ standing: ThreadStanding, of thread: Int64, asker: PersonKey? = nil, now: Timestamp) throws {
        let asked: SQL = asker.map { ", asker = \($0), asked_at = \(now)" } ?? ""
        try transaction.run("UPDATE message_threads SET state = \(standing) \(asked) WHERE key = \(thread)")
    }

    /// The key of the hashes by which repeated requests are recognized. The first message makes it.
    private func secret(sealedBy keys: CurrentTextKeys) throws -> MessageSecret {
        if let known = try secret(openedBy: keys) { return known }
        let made = MessageSecret.random()
        let sealed = try keys.seal(made.text, as: MessageSecret.name, in: transaction)
        try transaction.run(
            """
            INSERT INTO message_secrets (id, key_id, sealed)
            VALUES (\(MessageSecret.id), \(sealed.keyID), \(sealed.bytes))
            ON CONFLICT (id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed
            """)
        return made
    }
}

/// The key with which the database remembers what clients have sent, without the texts.
private struct MessageSecret {
    /// The id of its row.
    static let id = "bodies"
    static let name = TextName(table: "message_secrets", row: id, author: "")

    private let bytes: [UInt8]

    static func random() -> MessageSecret {
        MessageSecret(bytes: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: `nil` for another text than ``text``.
    init?(_ text: String) {
        guard let bytes = [UInt8](hexadecimal: text) else { return nil }
        self.init(bytes: bytes)
    }

    var text: String { bytes.hexadecimal }

    /// It only has to differ from that of another draft with the same id.
    func hash(_ draft: MessageDraft) throws -> Int64 {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data((try draft.canonical).utf8), using: SymmetricKey(data: bytes))
        let number: UInt64 = code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return Int64(number >> 1)
    }
}
