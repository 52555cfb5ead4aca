import Model
import Storage
import Visibility

extension ShareStore {
    /// The links of a share, the newest first; `nil` if it is not the person's.
    package func links(of id: ShareID, userID: String, now: Timestamp) throws -> [ShareLink]? {
        guard let viewer = try transaction.visibility.viewer(userID: userID), try isOwn(id, of: viewer) else {
            return nil
        }
        return try transaction.map(
            """
            SELECT \(ShareLink.columns) FROM share_links WHERE share = \(id.number) AND expires_at > \(now) ORDER BY id DESC
            """, ShareLink.init)
    }

    /// What a link shows; `nil` when there is no such link, when it has ended, and while its sender is suspended or
    /// shows the profile to nobody.
    package func share(linkedBy token: ShareToken, now: Timestamp) throws -> LinkedShare? {
        try transaction.row(
            """
            SELECT shares.number, shares.shared_at, shares.message, share_links.shows_name, share_links.expires_at, people.user_id,
                \(ShareSong.columns)
            FROM share_links JOIN shares ON shares.number = share_links.share
                JOIN people ON people.key = shares.sender JOIN share_contents ON share_contents.key = shares.content
            WHERE share_links.token = \(token.hash) AND share_links.expires_at > \(now) AND people.state = 0
                AND people.visibility > 0
            """
        ).map { row in
            LinkedShare(
                song: try ShareSong(row: row), message: try row["message"],
                at: try ShareID(row: row).moment, expiresAt: try row["expires_at"],
                senderID: try row["shows_name"] ? row["user_id"] : nil)
        }
    }

    /// Whether a person has sent a share.
    func isOwn(_ id: ShareID, of viewer: Viewer) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM shares
            WHERE number = \(id.number) AND shared_at = \(id.milliseconds) AND sender = \(viewer.key)
            """) != nil
    }
}

extension ShareStore where Access == WriteTransaction {
    /// Makes a link to a person's own share.
    ///
    /// - Parameter days: in ``ShareLink/days``.
    /// - Returns: the link with its secret, which nothing else shows again.
    /// - Throws: ``ShareRefusal``; `ActLimitReached`.
    package func addLink(
        to id: ShareID, by userID: String, days: Int, showsName: Bool, now: Timestamp
    ) throws -> (link: ShareLink, token: ShareToken) {
        guard let person = try transaction.visibility.person(userID: userID),
            let viewer = try transaction.visibility.viewer(userID: userID), try isOwn(id, of: viewer)
        else { throw ShareRefusal.unknownShare }
        guard person.visibility != .private else { throw ShareRefusal.profileIsPrivate }
        let count: Int =
            try transaction.row("SELECT COUNT(*) AS count FROM share_links WHERE sender = \(viewer.key)")?["count"] ?? 0
        guard count < ShareLink.capacity else { throw ShareRefusal.tooManyLinks(limit: ShareLink.capacity) }
        try transaction.visibility.count(ActLimit.shareLinks, by: viewer.key, now: now)
        let token = ShareToken.random()
        let link = ShareLink(
            id: UUIDv7.next(), showsName: showsName, createdAt: now,
            expiresAt: now.advanced(by: .seconds(days * 86_400)))
        try transaction.run(
            """
            INSERT INTO share_links (id, sender, share, token, shows_name, created_at, expires_at)
            VALUES (
                \(link.id), \(viewer.key), \(id.number), \(token.hash), \(showsName), \(now), \(link.expiresAt))
            """)
        return (link, token)
    }

    /// Revokes a link. The same again changes nothing.
    ///
    /// - Throws: ``ShareRefusal/unknownShare`` when the share is not the person's.
    package func revokeLink(_ link: String, to id: ShareID, by userID: String) throws {
        guard let viewer = try transaction.visibility.viewer(userID: userID), try isOwn(id, of: viewer) else {
            throw ShareRefusal.unknownShare
        }
        try transaction.run(
            "DELETE FROM share_links WHERE id = \(link) AND share = \(id.number) AND sender = \(viewer.key)")
    }

    /// Ends all links of a person whose profile has closed. They do not come back when it opens.
    ///
    /// - Parameter person: in any state.
    func endLinks(of person: PersonKey) throws {
        try transaction.run("DELETE FROM share_links WHERE sender = \(person)")
    }

    /// Deletes links that have ended.
    package func pruneLinks(endedBefore cutoff: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM share_links WHERE id IN (
                SELECT id FROM share_links WHERE expires_at < \(cutoff.moment) ORDER BY expires_at LIMIT \(limit))
            """)
    }
}
