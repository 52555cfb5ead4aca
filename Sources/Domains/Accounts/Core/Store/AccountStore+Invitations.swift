import Model
import Storage

/// An unused invitation, without its code.
package struct InvitationRecord: Sendable, Equatable {
    package let id: String
    /// Who invites; `nil` for the command line.
    package let userID: String?
    package let createdAt: Timestamp
    package let expiresAt: Timestamp

    package init(id: String, userID: String?, createdAt: Timestamp, expiresAt: Timestamp) {
        (self.id, self.userID, self.createdAt, self.expiresAt) = (id, userID, createdAt, expiresAt)
    }

    static let columns = SQL("id, user_id, created_at, expires_at")

    init(row: Row) throws {
        id = try row["id"]
        userID = try row["user_id"]
        createdAt = try row["created_at"]
        expiresAt = try row["expires_at"]
    }
}

extension AccountStore {
    /// A user's open invitations, newest first.
    package func invitations(ofUser userID: String, now: Timestamp) throws -> [InvitationRecord] {
        try transaction.map(
            """
            SELECT \(InvitationRecord.columns) FROM invitations
            WHERE user_id = \(userID) AND expires_at > \(now) ORDER BY created_at DESC, id DESC
            LIMIT \(Accounts.maximumInvitations)
            """, InvitationRecord.init)
    }

    /// The invitation of a code that may still be used; `nil` when it is unknown, has expired or has been used, and when
    /// whoever made it may no longer invite.
    ///
    /// - Parameter policy: who may invite now.
    func invitation(hash: String, policy: InvitationPolicy, now: Timestamp) throws -> InvitationRecord? {
        guard
            let row = try transaction.row(
                """
                SELECT invitations.id, invitations.user_id, invitations.created_at, invitations.expires_at,
                    users.is_admin, users.suspended_at
                FROM invitations LEFT JOIN users ON users.id = invitations.user_id
                WHERE invitations.hash = \(hash) AND invitations.expires_at > \(now)
                """)
        else { return nil }
        let invitation = try InvitationRecord(row: row)
        guard invitation.userID != nil else { return invitation }
        let (isAdmin, suspendedAt): (Bool?, Timestamp?) = (try row["is_admin"], try row["suspended_at"])
        return suspendedAt == nil && policy.allows(isAdmin: isAdmin ?? false) ? invitation : nil
    }
}

extension AccountStore where Access == WriteTransaction {
    func insertInvitation(_ invitation: InvitationRecord, hash: String) throws {
        try transaction.run(
            """
            INSERT INTO invitations (hash, id, user_id, created_at, expires_at)
            VALUES (
                \(hash), \(invitation.id), \(invitation.userID), \(invitation.createdAt), \(invitation.expiresAt))
            """)
    }

    func deleteInvitation(hash: String) throws {
        try transaction.run("DELETE FROM invitations WHERE hash = \(hash)")
    }

    /// Withdraws one of a user's invitations; returns whether there was one.
    func deleteInvitation(id: String, userID: String) throws -> Bool {
        try transaction.execute("DELETE FROM invitations WHERE id = \(id) AND user_id = \(userID)") > 0
    }

    /// Deletes up to `limit` invitations that have expired; returns their number.
    func pruneInvitations(at time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM invitations
            WHERE hash IN (SELECT hash FROM invitations WHERE expires_at <= \(time.moment) LIMIT \(limit))
            """)
    }
}
