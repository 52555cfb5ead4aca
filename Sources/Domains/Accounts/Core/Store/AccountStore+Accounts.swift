import Model
import Storage
import Visibility

/// An account as administrators see it.
package struct AccountRecord: Sendable, Equatable {
    package let id: String
    package let username: String
    package let displayName: String?
    package let createdAt: Timestamp
    /// The last use of a token or session, to the minute; `nil` for somebody who was never here.
    package let lastSeenAt: Timestamp?
    package let suspendedAt: Timestamp?
    package let isAdmin: Bool
    fileprivate let nameKey: String

    package var isSuspended: Bool { suspendedAt != nil }

    init(row: Row) throws {
        id = try row["id"]
        username = try row["name"]
        displayName = try row["display_name"]
        createdAt = try row["created_at"]
        lastSeenAt = try row["last_seen_at"]
        suspendedAt = try row["suspended_at"]
        isAdmin = try row["is_admin"]
        nameKey = try row["name_key"]
    }
}

/// The list of all accounts, for administrators.
package enum AccountList {
    /// By name.
    package static let order = Keyset<String>("accounts", by: "name_key")

    package static func cursor(after account: AccountRecord) -> String { order.text(of: account.nameKey) }
}

extension AccountStore {
    /// All accounts by name, whatever they show to others.
    package func accounts(after cursor: Cursor<String>?, limit: Int) throws -> [AccountRecord] {
        try transaction.map(
            """
            SELECT id, name, name_key, display_name, created_at, last_seen_at, suspended_at, is_admin FROM users
            WHERE id <> ''
            """ + AccountList.order.following(cursor) + " ORDER BY " + AccountList.order.order + " LIMIT \(limit)",
            AccountRecord.init)
    }

    /// That a person was seen since a moment.
    package func peopleSeen(since moment: Timestamp) -> PeopleCondition {
        let isSeen = isSeen(since: moment)
        return PeopleCondition { "EXISTS (SELECT 1 FROM users WHERE users.id = \($0) AND \(isSeen))" }
    }

    /// The ids of the people who were seen since a moment, in order.
    package func peopleSeen(since moment: Timestamp, after userID: String, limit: Int) throws -> [String] {
        try transaction.map(
            "SELECT id FROM users WHERE \(isSeen(since: moment)) AND id > \(userID) ORDER BY id LIMIT \(limit)"
        ) { try $0["id"] }
    }

    /// Whether a person was seen since a moment.
    package func isSeen(_ userID: String, since moment: Timestamp) throws -> Bool {
        try transaction.row("SELECT 1 FROM users WHERE \(isSeen(since: moment)) AND id = \(userID)") != nil
    }

    /// The condition of the rows of people who have used a token or a session since a moment, or have come since then,
    /// and may still sign in. A use is written a few minutes later (`recordUses`).
    private func isSeen(since moment: Timestamp) -> SQL {
        "COALESCE(users.last_seen_at, users.created_at) >= \(moment) AND users.suspended_at IS NULL"
    }

    func isSuspended(_ userID: String) throws -> Bool {
        try transaction.row("SELECT 1 FROM users WHERE id = \(userID) AND suspended_at IS NOT NULL") != nil
    }

    /// Whether a user is the only administrator who can sign in, while others have accounts.
    func isLastAdministrator(_ userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM users WHERE id = \(userID) AND is_admin = 1
                AND NOT EXISTS (
                    SELECT 1 FROM users AS others
                    WHERE others.id <> users.id AND others.is_admin = 1 AND others.suspended_at IS NULL)
                AND EXISTS (SELECT 1 FROM users AS others WHERE others.id <> users.id)
            """) != nil
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Signs a user out everywhere, lets none of their tokens work, and hides them from everybody.
    ///
    /// - Returns: whether they were not suspended before.
    package func suspend(_ userID: String, now: Timestamp) throws -> Bool {
        let count = try transaction.execute(
            "UPDATE users SET suspended_at = \(now) WHERE id = \(userID) AND suspended_at IS NULL")
        guard count == 1 else { return false }
        try transaction.visibility.suspend(userID: userID)
        try deleteSessionsAndLinks(ofUser: userID)
        try transaction.run("DELETE FROM invitations WHERE user_id = \(userID)")
        return true
    }

    /// Ends a suspension. The user's tokens work again.
    ///
    /// - Returns: whether the user was suspended.
    func reinstate(_ userID: String) throws -> Bool {
        let count = try transaction.execute(
            "UPDATE users SET suspended_at = NULL WHERE id = \(userID) AND suspended_at IS NOT NULL")
        guard count == 1 else { return false }
        try transaction.visibility.reinstate(userID: userID)
        transaction.recordChange(of: [userID], topic: .credentials)
        return true
    }
}
