import Model
import Storage

extension ConnectionStore {
    /// - Parameter provider: a `Provider`'s raw value.
    package func record(userID: String, provider: String) throws -> ConnectionRecord? {
        try transaction.row(
            """
            SELECT \(ConnectionRecord.columns) FROM connections
            WHERE user_id = \(userID) AND provider = \(provider)
            """
        ).map(ConnectionRecord.init)
    }

    /// All of a person's connections.
    package func records(userID: String) throws -> [ConnectionRecord] {
        try transaction.rows(
            "SELECT \(ConnectionRecord.columns) FROM connections WHERE user_id = \(userID) ORDER BY provider"
        )
        .map(ConnectionRecord.init)
    }

    /// A person's connections that changed after `change`, in the order of their changes.
    package func records(userID: String, changedAfter change: Int64, limit: Int) throws -> [ConnectionRecord] {
        try transaction.rows(
            """
            SELECT \(ConnectionRecord.columns) FROM connections
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ).map(ConnectionRecord.init)
    }

    /// Whether a person entered a credential, or gave consent, since a moment.
    ///
    /// A time in the future does not count: the clock was ahead when it was stored, and it would appear new forever.
    ///
    /// - Parameter provider: a `Provider`'s raw value.
    package func isAuthorized(
        userID: String, provider: String, since moment: Timestamp, now: Timestamp
    ) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM connections WHERE user_id = \(userID) AND provider = \(provider)
                AND authorized_at >= \(moment) AND authorized_at <= \(now)
            """) != nil
    }

    /// People who have a row for a provider.
    ///
    /// - Parameter provider: a `Provider`'s raw value.
    package func people(withProvider provider: String) -> PeopleCondition {
        PeopleCondition { userID in
            """
            EXISTS (SELECT 1 FROM connections WHERE connections.user_id = \(userID) AND connections.provider = \(provider))
            """
        }
    }
}

extension ConnectionStore where Access == WriteTransaction {
    /// Inserts or replaces a connection, with the next number of the change sequence.
    package func put(_ connection: ConnectionRecord, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO connections (\(ConnectionRecord.columns))
            VALUES (\(connection.userID), \(connection.provider), \(connection.state), \(connection.reason),
                \(connection.until), \(connection.accountID), \(connection.accountUserID), \(connection.accountName),
                \(connection.details), \(connection.scopes), \(connection.clientID), \(connection.authorizedAt),
                \(connection.renewBy),
                \(connection.tokenExpiresAt), \(connection.refresh?.owner), \(connection.refresh?.expiresAt),
                \(connection.refresh?.boot), \(try transaction.nextChange()), \(now))
            ON CONFLICT (user_id, provider) DO UPDATE SET
                state = excluded.state, reason = excluded.reason, until = excluded.until,
                account_id = excluded.account_id, account_user_id = excluded.account_user_id,
                account_name = excluded.account_name, details = excluded.details, scopes = excluded.scopes,
                client_id = excluded.client_id, authorized_at = excluded.authorized_at, renew_by = excluded.renew_by,
                token_expires_at = excluded.token_expires_at, refresh_owner = excluded.refresh_owner,
                refresh_expires_at = excluded.refresh_expires_at, refresh_boot = excluded.refresh_boot,
                change = excluded.change, updated_at = excluded.updated_at
            """)
        transaction.recordChange(of: [connection.userID], topic: .setup)
    }

    /// Stores the refresh lease. Event streams do not report this as a change.
    package func setRefreshLease(
        _ lease: ConnectionRecord.RefreshLease?, userID: String, provider: String
    ) throws {
        try transaction.run(
            """
            UPDATE connections SET refresh_owner = \(lease?.owner), refresh_expires_at = \(lease?.expiresAt),
                refresh_boot = \(lease?.boot)
            WHERE user_id = \(userID) AND provider = \(provider)
            """)
    }
}

extension ItemKind {
    /// A step of the setup, by its provider.
    package static let setupStep = ItemKind("setup")
}

extension ChangeTopic {
    /// Connections, and with them the steps of the setup.
    package static let setup = ChangeTopic("setup")
}
