import Model

/// What an API token may be used for, if not for everything. The raw values are in the API and the database.
package enum TokenScope: String, Sendable, CaseIterable {
    /// Only the ListenBrainz API.
    case listening
}

/// The owner of a token.
package struct TokenHolder: Sendable {
    package var user: UserRecord
    /// When the token stops working; `nil` for never.
    package var expiresAt: Timestamp?
    /// `nil` for everything.
    package var scope: TokenScope?
}
