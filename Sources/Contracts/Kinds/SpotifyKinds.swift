extension JobKind {
    static let spotify = [TypedJobKind.spotifyAuthorize.kind, TypedJobKind.spotifyProfile.kind]
}

extension TypedJobKind where Payload == SpotifyAuthorizePayload, Result == AuthorizationVerdict {
    /// Exchanges the code of an attempt to connect Spotify. Whoever waits for it gives up after fifteen seconds and
    /// deletes the attempt; a job that ends later connects nothing.
    package static var spotifyAuthorize: Self {
        Self(JobKind(name: "spotify.authorize", version: 1, submitter: .system, maximumRunTime: .seconds(60)))
    }
}

extension TypedJobKind where Payload == NoPayload, Result == SpotifyProfileResult {
    /// Reads whose Spotify account is connected.
    package static var spotifyProfile: Self {
        Self(
            JobKind(
                name: "spotify.profile", version: 1, submitter: .user, maximumRunTime: .seconds(180),
                needs: [JobKind.Need(.spotify, scopes: [SpotifyScopes.profile])]))
    }
}

/// The payload of `spotify.authorize`, version 1: an attempt to connect whose code has come.
package struct SpotifyAuthorizePayload: Codable, Sendable, Equatable {
    package var authorizationID: String

    package init(authorizationID: String) {
        self.authorizationID = authorizationID
    }
}

/// The result of `spotify.profile`.
package struct SpotifyProfileResult: Codable, Sendable, Equatable {
    /// What people know the account by.
    package var account: String

    package init(account: String) {
        self.account = account
    }
}

/// What came of an attempt to connect: the result of `spotify.authorize`, from which its page or app is answered.
package struct AuthorizationVerdict: Codable, Sendable, Equatable {
    package var isConnected: Bool
    /// Why not, in camelCase.
    package var code: String?
    /// A `Recovery`'s raw value.
    package var recovery: String?
    /// For people.
    package var detail: String?
    /// Whole seconds since 1970 after which trying again makes sense.
    package var retryAt: Int64?

    package init(
        isConnected: Bool, code: String? = nil, recovery: String? = nil, detail: String? = nil, retryAt: Int64? = nil
    ) {
        self.isConnected = isConnected
        self.code = code
        self.recovery = recovery
        self.detail = detail
        self.retryAt = retryAt
    }

    package static let connected = AuthorizationVerdict(isConnected: true)
}
