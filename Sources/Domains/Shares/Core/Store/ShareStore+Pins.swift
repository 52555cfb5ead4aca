import Model
import Storage
import Visibility

extension ShareStore where Access == WriteTransaction {
    /// The days for which a pin lasts without an end of its own, and the most days.
    package static var pinDays: (standard: Int, most: Int) { (7, 30) }

    /// Pins a person's own share to their profile, in place of another one.
    ///
    /// - Parameter end: `nil` for the usual time.
    /// - Returns: the end.
    /// - Throws: ``ShareRefusal/unknownShare``.
    package func pin(_ id: ShareID, until end: Timestamp?, by userID: String, now: Timestamp) throws -> Timestamp {
        guard let viewer = try transaction.visibility.viewer(userID: userID), try isOwn(id, of: viewer) else {
            throw ShareRefusal.unknownShare
        }
        let end = end ?? now.advanced(by: .seconds(Self.pinDays.standard * 86_400))
        let former = try self.pin(of: viewer.key, now: now)
        try transaction.run(
            """
            INSERT INTO share_pins (person, share, ends_at) VALUES (\(viewer.key), \(id.number), \(end))
            ON CONFLICT (person) DO UPDATE SET share = excluded.share, ends_at = excluded.ends_at
            """)
        for share in Set([id, former].compactMap(\.self)) { try recordShare(share.number, for: [viewer.key]) }
        return end
    }

    /// Unpins what a person has pinned.
    package func unpin(by userID: String, now: Timestamp) throws {
        guard let viewer = try transaction.visibility.viewer(userID: userID),
            let former = try pin(of: viewer.key, now: now)
        else { return }
        try transaction.run("DELETE FROM share_pins WHERE person = \(viewer.key)")
        try recordShare(former.number, for: [viewer.key])
    }
}
