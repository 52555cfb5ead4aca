import Model

/// What an API token may be used for, if not for everything.
///
/// The set is open: a stored scope that this version does not know is a scope all the same, which permits nothing here.
package struct TokenScope: Sendable, Hashable {
    /// The name in the API and the database.
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension TokenScope {
    /// Only the ListenBrainz API.
    package static let listening = TokenScope(rawValue: "listening")

    /// The scopes that a new token can have.
    package static let offered: [TokenScope] = [listening]
}

/// The owner of a token.
package struct TokenHolder: Sendable {
    package var user: UserRecord
    /// When the token stops working; `nil` for never.
    package var expiresAt: Timestamp?
    /// `nil` for everything.
    package var scope: TokenScope?
}
