import Model
import Storage

/// A row of `connections`: how a person stands with a provider, and what is known of their account there.
package struct ConnectionRecord: Sendable, Equatable {
    package var userID: String
    /// A `CredentialProvider`'s raw value.
    package var provider: String
    /// A `ConnectionState` as its name, reason and time; `Connections` reads and writes them.
    package var state: String
    package var reason: String?
    package var until: Timestamp?
    /// The provider's id of the account, which never changes.
    package var accountID: String?
    /// The account as its owner knows it.
    package var accountName: String?
    /// JSON of what else is to be shown or sent, without secrets: Apple Music's team and key ids.
    package var details: String?
    /// The scopes that were granted, with spaces between.
    package var scopes: String?
    /// When the person gave their consent, or the key.
    package var authorizedAt: Timestamp?
    /// When what was consented to ends.
    package var renewBy: Timestamp?
    /// When the access token ends.
    package var tokenExpiresAt: Timestamp?
    /// Who is refreshing the token, or was when it died.
    package var refresh: RefreshLease?
    /// Of the change sequence; the next number when it is written.
    package var change: Int64 = 0
    package var updatedAt: Timestamp

    package init(userID: String, provider: String, state: String, updatedAt: Timestamp) {
        self.userID = userID
        self.provider = provider
        self.state = state
        self.updatedAt = updatedAt
    }

    /// The right to refresh a token, for a while.
    package struct RefreshLease: Sendable, Equatable {
        /// One attempt's own id.
        package var owner: String
        package var expiresAt: MonotonicInstant
        /// The boot that `expiresAt` counts in.
        package var boot: String

        package init(owner: String, expiresAt: MonotonicInstant, boot: String) {
            self.owner = owner
            self.expiresAt = expiresAt
            self.boot = boot
        }

        /// Whether its holder may still be at work.
        package func isHeld(now: MonotonicInstant, boot: String) -> Bool {
            self.boot == boot && now < expiresAt
        }
    }

    static let columns = SQL(
        """
        user_id, provider, state, reason, until, account_id, account_name, details, scopes, authorized_at, renew_by,
        token_expires_at, refresh_owner, refresh_expires_at, refresh_boot, change, updated_at
        """)

    init(row: Row) throws {
        userID = try row["user_id"]
        provider = try row["provider"]
        state = try row["state"]
        reason = try row["reason"]
        until = try row["until"]
        accountID = try row["account_id"]
        accountName = try row["account_name"]
        details = try row["details"]
        scopes = try row["scopes"]
        authorizedAt = try row["authorized_at"]
        renewBy = try row["renew_by"]
        tokenExpiresAt = try row["token_expires_at"]
        if let owner: String = try row["refresh_owner"], let expiry: MonotonicInstant = try row["refresh_expires_at"],
            let boot: String = try row["refresh_boot"]
        {
            refresh = RefreshLease(owner: owner, expiresAt: expiry, boot: boot)
        }
        change = try row["change"]
        updatedAt = try row["updated_at"]
    }
}
