import Model

/// What an API token is good for, if not for everything. The raw values are in the API and the database.
package enum TokenScope: String, Sendable, CaseIterable {
    /// The ListenBrainz API alone.
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
