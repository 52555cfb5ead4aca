import Contracts

/// A kind of job that verifies a credential that a person entered.
package typealias VerificationKind = TypedJobKind<VerificationPayload, VerificationResult>

extension TypedJobKind where Payload == VerificationPayload, Result == VerificationResult {
    /// Verifies an API key of Gemini.
    package static var setupVerifyGemini: Self { verification("setup.verifyGemini") }

    /// Verifies an API key of Ticketmaster.
    package static var setupVerifyTicketmaster: Self { verification("setup.verifyTicketmaster") }

    /// Verifies keys and tokens of Apple Music.
    package static var setupVerifyAppleMusic: Self { verification("setup.verifyAppleMusic") }

    private static func verification(_ name: String) -> Self {
        Self(JobKind(name: name, version: 1, submitter: .system, maximumRunTime: .seconds(60)))
    }
}

extension TypedJobKind where Payload == AppleMusicPageTokenPayload, Result == AppleMusicPageTokenResult {
    /// Signs a developer token for the page on which a person signs in with Apple. Only workers can read the key.
    package static var setupAppleMusicPageToken: Self {
        Self(
            JobKind(
                name: "setup.appleMusicPageToken", version: 1, submitter: .system, maximumRunTime: .seconds(30),
                isEphemeral: true))
    }
}

/// The payload of `setup.appleMusicPageToken`, version 1.
package struct AppleMusicPageTokenPayload: Codable, Sendable, Equatable {
    /// Scheme, host and port of the site whose pages may use the token.
    package var origin: String

    package init(origin: String) {
        self.origin = origin
    }
}

/// The result of `setup.appleMusicPageToken`. The token is public: every browser that shows the page has it.
package struct AppleMusicPageTokenResult: Codable, Sendable, Equatable {
    /// `nil` when there is no token.
    package var token: String?
    /// In whole seconds since 1970.
    package var expiresAt: Int64?
    /// A text for people that says why there is no token.
    package var detail: String?

    package init(token: String, expiresAt: Int64) {
        self.token = token
        self.expiresAt = expiresAt
    }

    package init(detail: String) {
        self.detail = detail
    }
}

/// The payload of the `setup.verify…` jobs, version 1: the candidate to verify, whose content is sealed in the
/// database.
package struct VerificationPayload: Codable, Sendable, Equatable {
    package var candidateID: String

    package init(candidateID: String) {
        self.candidateID = candidateID
    }
}

/// The result of the `setup.verify…` jobs.
package struct VerificationResult: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        /// The credential works, and is now the person's.
        case accepted
        /// The upstream does not accept the credential. Nothing of it is stored.
        case refused
        /// Undecided: the upstream could not be asked, or did not answer clearly. Nothing of the credential is stored.
        case unavailable
        /// The candidate was withdrawn, replaced by a later one, or expired before it could be verified.
        case gone
    }

    /// What was wrong, as a problem code of the API.
    package enum Code: String, Codable, Sendable, CaseIterable {
        // Refused.
        case keyRefused, keyRestricted, locationUnsupported, userTokenRefused, privateKeyUnreadable
        case subscriptionMissing, requestRefused
        // Unavailable.
        case networkError, upstreamError, invalidResponse, rateLimited, quotaExhausted, vaultUnavailable
    }

    package var verdict: Verdict
    package var code: Code?
    /// A text for people that says what was wrong and what to do.
    package var detail: String?
    /// The API's name for the wrong field.
    package var field: String?
    /// The number of seconds after which it makes sense to try again.
    package var retryAfter: Int?

    package init(
        _ verdict: Verdict, code: Code? = nil, detail: String? = nil, field: String? = nil, retryAfter: Int? = nil
    ) {
        self.verdict = verdict
        self.code = code
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
    }

    package static func refused(code: Code, _ detail: String, field: String? = nil) -> VerificationResult {
        VerificationResult(.refused, code: code, detail: detail, field: field)
    }

    package static func unavailable(code: Code, _ detail: String, retryAfter: Int? = nil) -> VerificationResult {
        VerificationResult(.unavailable, code: code, detail: detail, retryAfter: retryAfter)
    }
}
