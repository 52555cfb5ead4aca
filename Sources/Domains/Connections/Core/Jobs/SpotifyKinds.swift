import Contracts

extension TypedJobKind where Payload == SpotifyAuthorizePayload, Result == AuthorizationVerdict {
    /// Exchanges the code of an attempt to connect Spotify. The request that waits for it gives up after 15 s and
    /// deletes the attempt; a job that ends later connects nothing.
    package static var spotifyAuthorize: Self {
        Self(JobKind(name: "spotify.authorize", version: 1, submitter: .system, maximumRunTime: .seconds(60)))
    }
}

extension TypedJobKind where Payload == SpotifyReplaceAccountPayload, Result == AuthorizationVerdict {
    /// Replaces the connected Spotify account with another one, as the person has answered.
    package static var spotifyReplaceAccount: Self {
        Self(JobKind(name: "spotify.replaceAccount", version: 1, submitter: .system, maximumRunTime: .seconds(60)))
    }
}

extension TypedJobKind where Payload == NoPayload, Result == SpotifyProfileResult {
    /// Reads the profile of the connected Spotify account.
    package static var spotifyProfile: Self {
        Self(
            JobKind(
                name: "spotify.profile", version: 1, submitter: .user, maximumRunTime: .seconds(180),
                needs: [JobKind.Need(.spotify, scopes: [SpotifyScopes.profile])]))
    }
}

/// The payload of `spotify.authorize`, version 1: an attempt to connect, which has its code.
package struct SpotifyAuthorizePayload: Codable, Sendable, Equatable {
    package var authorizationID: String

    package init(authorizationID: String) {
        self.authorizationID = authorizationID
    }
}

/// The payload of `spotify.replaceAccount`, version 1.
package struct SpotifyReplaceAccountPayload: Codable, Sendable, Equatable {
    /// The question that the person answered.
    package var questionID: String
    /// Whether the data of the former account stays.
    package var keepsFormerData: Bool

    package init(questionID: String, keepsFormerData: Bool) {
        self.questionID = questionID
        self.keepsFormerData = keepsFormerData
    }
}

/// The result of `spotify.profile`.
package struct SpotifyProfileResult: Codable, Sendable, Equatable {
    /// The name that people know the account by.
    package var account: String

    package init(account: String) {
        self.account = account
    }
}

/// The result of `spotify.authorize`, from which the page or app that began the attempt gets its answer.
package struct AuthorizationVerdict: Codable, Sendable, Equatable {
    package var isConnected: Bool
    /// Why it is not connected, as a code in camelCase.
    package var code: String?
    /// A `Recovery`'s raw value.
    package var recovery: String?
    /// A text for people.
    package var detail: String?
    /// When it makes sense to try again, in whole seconds since 1970.
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
