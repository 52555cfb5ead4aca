import Model

/// What a provider gives for a code or a refresh token.
package struct ConnectionTokens: Sendable, Equatable {
    package var accessToken: Secret
    package var expiresAt: Timestamp
    /// `nil` when the one before it stays good.
    package var refreshToken: Secret?
    /// `nil` when nothing was said of them.
    package var scopes: [String]?

    package init(accessToken: Secret, expiresAt: Timestamp, refreshToken: Secret?, scopes: [String]?) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.scopes = scopes
    }
}

/// The names of the secrets that a connection keeps in the vault.
enum TokenField {
    static let access = "accessToken"
    static let refresh = "refreshToken"
}

/// The moments of a refresh at which a process may die, for tests that have it die there.
package enum TokenMoment: String, Sendable, CaseIterable {
    /// The answer is here and not written yet.
    case answered
    /// The answer is written and not used yet.
    case stored
}
