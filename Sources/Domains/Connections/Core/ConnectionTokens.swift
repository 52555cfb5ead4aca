import Model

/// A provider's answer to a code or a refresh token.
package struct ConnectionTokens: Sendable, Equatable {
    package var accessToken: Secret
    package var expiresAt: Timestamp
    /// `nil` when the previous refresh token stays valid.
    package var refreshToken: Secret?
    /// The granted scopes; `nil` when the answer does not name them.
    package var scopes: [String]?

    package init(accessToken: Secret, expiresAt: Timestamp, refreshToken: Secret?, scopes: [String]?) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.scopes = scopes
    }
}

/// The fields of a connection's secrets in the vault.
enum TokenField {
    static let access = "accessToken"
    static let refresh = "refreshToken"
}

/// The moments of a refresh at which tests kill the process.
package enum RefreshCrashPoint: String, Sendable, CaseIterable {
    /// The answer has arrived and is not stored yet.
    case answered
    /// The answer is stored and not used yet.
    case stored
}
