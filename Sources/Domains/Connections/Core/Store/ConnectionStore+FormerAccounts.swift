import Model
import Storage

/// A row of `former_accounts`: an account that was replaced by another one, and whose data the person kept.
package struct FormerAccountRecord: Sendable, Equatable {
    /// See ``ConnectionRecord/accountID``.
    package var accountID: String
    package var accountName: String?
    package var replacedAt: Timestamp

    package init(accountID: String, accountName: String?, replacedAt: Timestamp) {
        self.accountID = accountID
        self.accountName = accountName
        self.replacedAt = replacedAt
    }

    init(row: Row) throws {
        accountID = try row["account_id"]
        accountName = try row["account_name"]
        replacedAt = try row["replaced_at"]
    }
}

extension ConnectionStore {
    /// A person's former accounts, in the order in which they were replaced.
    package func formerAccounts(userID: String, provider: String) throws -> [FormerAccountRecord] {
        try transaction.rows(
            """
            SELECT account_id, account_name, replaced_at FROM former_accounts
            WHERE user_id = \(userID) AND provider = \(provider) ORDER BY replaced_at, account_id
            """
        ).map(FormerAccountRecord.init)
    }
}

extension ConnectionStore where Access == WriteTransaction {
    package func putFormerAccount(_ account: FormerAccountRecord, userID: String, provider: String) throws {
        try transaction.run(
            """
            INSERT INTO former_accounts (user_id, provider, account_id, account_name, replaced_at)
            VALUES (\(userID), \(provider), \(account.accountID), \(account.accountName), \(account.replacedAt))
            ON CONFLICT (user_id, provider, account_id) DO UPDATE SET
                account_name = excluded.account_name, replaced_at = excluded.replaced_at
            """)
    }

    package func deleteFormerAccount(_ accountID: String, userID: String, provider: String) throws {
        try transaction.run(
            """
            DELETE FROM former_accounts
            WHERE user_id = \(userID) AND provider = \(provider) AND account_id = \(accountID)
            """)
    }

    package func deleteFormerAccounts(userID: String, provider: String) throws {
        try transaction.run("DELETE FROM former_accounts WHERE user_id = \(userID) AND provider = \(provider)")
    }
}
