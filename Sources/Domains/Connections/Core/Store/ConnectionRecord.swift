import Model
import Storage

/// A row of `connections`: the state of a person's connection to a provider, and the account there.
package struct ConnectionRecord: Sendable, Equatable {
    package var userID: String
    /// A `Provider`'s raw value.
    package var provider: String
    /// `state`, `reason` and `until` are a ``ConnectionState`` (`ConnectionState.init(_:)`, `store(in:)`).
    package var state: String
    package var reason: String?
    package var until: Timestamp?
    /// The account's id at the provider that never changes, or else its only id. Data from the account refers to it by
    /// this id. `nil` while unknown.
    package var accountID: String?
    /// Spotify's `id` of the account, which names the owner of a playlist. `nil` while unknown, and for other
    /// providers.
    package var accountUserID: String?
    /// The name of the account to show to its owner.
    package var accountName: String?
    /// A JSON object with further fields without secrets: Apple Music's team and key ids, the country of a Spotify
    /// account.
    package var details: String?
    /// The granted scopes, separated by spaces.
    package var scopes: String?
    /// The client id that the scopes were granted to. `nil` while unknown, and for keys.
    package var clientID: String?
    /// When the person gave the consent or the key.
    package var authorizedAt: Timestamp?
    /// When the consent ends.
    package var renewBy: Timestamp?
    /// When the access token expires.
    package var tokenExpiresAt: Timestamp?
    /// The lease of the process that refreshes the token; it remains after that process has died.
    package var refresh: RefreshLease?
    /// The number in the change sequence. Every write gives the row the next one.
    package var change: Int64 = 0
    package var updatedAt: Timestamp

    package init(userID: String, provider: String, state: String, updatedAt: Timestamp) {
        self.userID = userID
        self.provider = provider
        self.state = state
        self.updatedAt = updatedAt
    }

    /// The right to refresh a token, until it expires.
    package struct RefreshLease: Sendable, Equatable {
        /// The id of one attempt to refresh.
        package var owner: String
        package var expiresAt: MonotonicInstant
        /// The boot in which `expiresAt` is measured.
        package var boot: String

        package init(owner: String, expiresAt: MonotonicInstant, boot: String) {
            self.owner = owner
            self.expiresAt = expiresAt
            self.boot = boot
        }

        /// Whether its holder may still be refreshing.
        package func isHeld(now: MonotonicInstant, boot: String) -> Bool {
            self.boot == boot && now < expiresAt
        }
    }

    static let columns = SQL(
        """
        user_id, provider, state, reason, until, account_id, account_user_id, account_name, details, scopes, client_id,
        authorized_at, renew_by, token_expires_at, refresh_owner, refresh_expires_at, refresh_boot, change, updated_at
        """)

    init(row: Row) throws {
        userID = try row["user_id"]
        provider = try row["provider"]
        state = try row["state"]
        reason = try row["reason"]
        until = try row["until"]
        accountID = try row["account_id"]
        accountUserID = try row["account_user_id"]
        accountName = try row["account_name"]
        details = try row["details"]
        scopes = try row["scopes"]
        clientID = try row["client_id"]
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
