import Contracts

extension TypedJobKind where Payload == GoogleSignInPayload, Result == GoogleSignInResult {
    /// Verifies the identity of a person who signs in with Google. A request waits for it.
    package static var accountsGoogleSignIn: Self {
        Self(JobKind(name: "accounts.googleSignIn", version: 1, submitter: .system, maximumRunTime: .seconds(60)))
    }
}

extension TypedJobKind where Payload == NoPayload, Result == GoogleEndpointsResult {
    /// Reads the address of Google's sign-in page.
    package static var accountsGoogleEndpoints: Self {
        Self(JobKind(name: "accounts.googleEndpoints", version: 1, submitter: .system, maximumRunTime: .seconds(60)))
    }
}

/// The payload of `accounts.googleSignIn`, version 1: the proof from Google to verify. The proof itself is sealed in
/// the database.
package struct GoogleSignInPayload: Codable, Sendable, Equatable {
    package enum Proof: String, Codable, Sendable {
        /// The id is that of a browser's attempt to sign in, which has its code.
        case code
        /// The id is that of a candidate that contains an app's ID token.
        case idToken
    }

    package var proof: Proof
    package var id: String

    package init(_ proof: Proof, id: String) {
        self.proof = proof
        self.id = id
    }
}

/// The result of `accounts.googleSignIn`. The verified identity is stored with the proof in the database.
package struct GoogleSignInResult: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        case verified
        /// The proof is not valid, or the person may not sign in here.
        case refused
        /// Undecided: Google could not be asked, or this installation's client is not set up.
        case unavailable
    }

    /// What was wrong, as a problem code of the API.
    package enum Code: String, Codable, Sendable, CaseIterable {
        // Refused.
        case idTokenTooLarge, idTokenMalformed, idTokenAlgorithmWrong, idTokenKeyUnknown, idTokenSignatureWrong
        case idTokenIssuerWrong, idTokenAudienceWrong, idTokenExpired, idTokenNotYetValid, idTokenNonceWrong
        case idTokenUsed, codeRefused, stateUnknown, signUpClosed, accountSuspended
        // Unavailable.
        case networkError, upstreamError, invalidResponse, rateLimited, vaultUnavailable, noVerdict
        case clientRefused, clientSecretUnreadable

        /// Whether the operator has to correct something.
        package var isMisconfiguration: Bool {
            [.clientRefused, .clientSecretUnreadable, .vaultUnavailable].contains(self)
        }
    }

    package var verdict: Verdict
    package var code: Code?
    /// A text for people that says what was wrong and what to do.
    package var detail: String?
    /// The number of seconds after which it makes sense to try again.
    package var retryAfter: Int?

    private init(_ verdict: Verdict, code: Code? = nil, detail: String? = nil, retryAfter: Int? = nil) {
        self.verdict = verdict
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }

    package static let verified = GoogleSignInResult(.verified)

    package static func refused(_ code: Code, _ detail: String) -> GoogleSignInResult {
        GoogleSignInResult(.refused, code: code, detail: detail)
    }

    package static func unavailable(
        _ code: Code, _ detail: String, retryAfter: Int? = nil
    ) -> GoogleSignInResult {
        GoogleSignInResult(.unavailable, code: code, detail: detail, retryAfter: retryAfter)
    }
}

/// The result of `accounts.googleEndpoints`: the address at which browsers sign in.
package struct GoogleEndpointsResult: Codable, Sendable, Equatable {
    /// An absolute URL; `nil` when it is unknown.
    package var authorizationURL: String?
    /// The reason why the address is unknown.
    package var trouble: GoogleSignInResult?

    package init(authorizationURL: String?, trouble: GoogleSignInResult? = nil) {
        self.authorizationURL = authorizationURL
        self.trouble = trouble
    }
}
