import Crypto
import DomainEvents
import Foundation
import Model
import Storage
import Timeline
import Visibility

/// What became of a draft.
package enum ShareOutcome: Sendable, Equatable {
    case made(ShareID)
    /// The same draft was sent before.
    case known(ShareID)
    /// The same draft was sent before, and the share was taken back.
    case gone(ShareID)
}

extension ShareStore {
    /// What became of a draft that was sent before; `nil` for a new one.
    ///
    /// - Throws: ``ShareRefusal/otherShare`` when another draft had the same id.
    package func outcome(of draft: ShareDraft, by sender: Viewer) throws -> ShareOutcome? {
        guard let secret = try secret() else { return nil }
        return try outcome(of: draft, by: sender, secret)
    }

    private func outcome(of draft: ShareDraft, by sender: Viewer, _ secret: ShareSecret) throws -> ShareOutcome? {
        let receipt = try transaction.row(
            """
            SELECT body, share AS number, shared_at FROM share_receipts
            WHERE sender = \(sender.key) AND client = \(secret.client(draft))
            """)
        guard let receipt else { return nil }
        guard try receipt["body"] == secret.body(draft) else { throw ShareRefusal.otherShare }
        let id = try ShareID(row: receipt)
        let exists = try transaction.row("SELECT 1 FROM shares WHERE number = \(id.number)") != nil
        return exists ? .known(id) : .gone(id)
    }

    private func secret() throws -> ShareSecret? {
        try transaction.row("SELECT secret FROM share_secrets").map { ShareSecret(bytes: try $0["secret"]) }
    }
}

extension ShareStore where Access == WriteTransaction {
    /// Shares a song with everybody who may see the person's profile. The same draft again changes nothing.
    ///
    /// - Parameters:
    ///   - song: what the share shows. It is asked for a new draft only: the song of an earlier one may be gone.
    ///   - zone: the time zone of the person's profile.
    /// - Throws: ``ShareRefusal``; `ActLimitReached`.
    package func share(
        _ draft: ShareDraft, showing song: @autoclosure () throws -> ShareSong, by userID: String, zone: String?,
        now: Timestamp
    ) throws -> ShareOutcome {
        guard let sender = try transaction.visibility.viewer(userID: userID) else { throw ShareRefusal.unknownShare }
        let secret = try makeSecret()
        if let outcome = try outcome(of: draft, by: sender, secret) { return outcome }
        let song = try song()
        try transaction.visibility.count(ActLimit.shares, by: sender.key, now: now)
        let id = ShareID(number: try transaction.nextChange(), milliseconds: max(0, now.microseconds / 1_000))
        try transaction.run(
            """
            INSERT INTO shares (number, sender, content, shared_at, message)
            VALUES (
                \(id.number), \(sender.key), \(try addContent(song)), \(id.milliseconds), \(draft.message))
            """)
        try transaction.run(
            """
            INSERT INTO share_receipts (sender, client, body, share, shared_at)
            VALUES (
                \(sender.key), \(secret.client(draft)), \(try secret.body(draft)), \(id.number), \(id.milliseconds))
            """)
        let act = ActDay(now, zone: zone)
        try transaction.run(
            """
            INSERT INTO share_acts (actor, other, day, zone) VALUES (\(sender.key), 0, \(act.day), \(act.zone))
            ON CONFLICT (actor, other, day) DO NOTHING
            """)
        try transaction.timeline.insert(
            .share, number: id.number, by: [TimelineAuthor(sender.key)], moment: id.moment)
        transaction.recordChange(of: [userID], topic: .shares)
        return .made(id)
    }

    /// Takes a share back: it is gone for everybody. The same again changes nothing.
    ///
    /// - Throws: ``ShareRefusal/unknownShare`` also for somebody else's.
    package func takeBack(_ id: ShareID, by userID: String, now: Timestamp) throws {
        guard let sender = try transaction.visibility.viewer(userID: userID) else { throw ShareRefusal.unknownShare }
        guard let content = try content(of: id, sentBy: sender) else {
            guard try hasTakenBack(id, sender: sender.key) else { throw ShareRefusal.unknownShare }
            return
        }
        try deleteShare(id, content: content, sender: sender.key)
        try transaction.timeline.remove(
            .share, number: id.number, id: id.text, by: [TimelineAuthor(sender.key)], moment: id.moment, now: now)
        try transaction.recordGone(.share, ids: [id.text], userID: userID, now: now)
        try transaction.publish(
            NotificationSubjectWithdrawn(recipientID: userID, kind: .reaction, subject: id.text))
    }

    /// The content of a share that the person has sent.
    private func content(of id: ShareID, sentBy sender: Viewer) throws -> Int64? {
        try transaction.row(
            """
            SELECT content FROM shares
            WHERE number = \(id.number) AND shared_at = \(id.milliseconds) AND sender = \(sender.key)
            """)?["content"]
    }

    /// Deletes a share with what belongs to it. A share with many reactions leaves the rest of them to
    /// ``deleteLeftReactions(limit:)``.
    func deleteShare(_ id: ShareID, content: Int64, sender: PersonKey) throws {
        try transaction.run("DELETE FROM shares WHERE number = \(id.number)")
        try removeContent(content)
        try transaction.run("DELETE FROM share_links WHERE share = \(id.number)")
        try transaction.run("DELETE FROM share_pins WHERE person = \(sender) AND share = \(id.number)")
        try transaction.run("DELETE FROM share_changes WHERE person = \(sender) AND share = \(id.number)")
        try transaction.run("DELETE FROM share_reaction_counts WHERE share = \(id.number)")
        guard try deleteReactions(to: id, limit: Self.reactionsAtOnce) == Self.reactionsAtOnce else { return }
        try transaction.run(
            """
            INSERT INTO share_removals (share, shared_at) VALUES (\(id.number), \(id.milliseconds))
            ON CONFLICT (share) DO NOTHING
            """)
    }

    /// Deletes a share of a person who is being erased. Those who could see it learn of it by the end of their follows.
    func eraseShare(_ number: Int64, of sender: PersonKey) throws {
        let row = try transaction.row(
            "SELECT number, shared_at, content FROM shares WHERE number = \(number) AND sender = \(sender)")
        guard let row else { return }
        try deleteShare(try ShareID(row: row), content: try row["content"], sender: sender)
    }

    /// Deletes some of what others have said of a share of a person who is being erased. They learn that the person is
    /// gone, as after a block.
    func eraseReactions(to number: Int64, of sender: PersonKey, limit: Int) throws {
        let row = try transaction.row(
            "SELECT number, shared_at FROM shares WHERE number = \(number) AND sender = \(sender)")
        guard let row else { return }
        _ = try deleteReactions(to: try ShareID(row: row), limit: limit, isRecorded: false)
    }

    private static var reactionsAtOnce: Int { 100 }

    private func makeSecret() throws -> ShareSecret {
        if let secret = try secret() { return secret }
        let secret = ShareSecret.random()
        try transaction.run("INSERT INTO share_secrets (secret) VALUES (\(secret.bytes))")
        return secret
    }
}

/// The key with which the database remembers what clients have sent, without the texts.
private struct ShareSecret {
    let bytes: [UInt8]

    static func random() -> ShareSecret {
        ShareSecret(bytes: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }

    /// It only has to differ among the drafts of one person.
    func client(_ draft: ShareDraft) -> Int64 { hash("client\n" + draft.clientID, bytes: 6) }

    /// It only has to differ from that of another draft with the same id.
    func body(_ draft: ShareDraft) throws -> Int64 { hash("body\n" + (try draft.canonical), bytes: 4) }

    /// - Parameter size: in how many bytes the database stores it. The sign takes one bit of them.
    private func hash(_ text: String, bytes size: Int) -> Int64 {
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: bytes))
        return Int64(code.prefix(size).reduce(0) { $0 << 8 | UInt64($1) } >> 1)
    }
}
