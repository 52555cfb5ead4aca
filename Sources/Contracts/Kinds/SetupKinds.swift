extension JobKind {
    static let setup = [
        TypedJobKind.setupVerifyGemini.kind, TypedJobKind.setupVerifyTicketmaster.kind,
        TypedJobKind.setupVerifyAppleMusic.kind,
    ]
}

/// A kind of job that proves what a person entered.
package typealias VerificationKind = TypedJobKind<VerificationPayload, VerificationResult>

extension TypedJobKind where Payload == VerificationPayload, Result == VerificationResult {
    /// Proves an API key of Gemini that a person entered.
    package static var setupVerifyGemini: Self { verification("setup.verifyGemini") }

    /// Proves an API key of Ticketmaster that a person entered.
    package static var setupVerifyTicketmaster: Self { verification("setup.verifyTicketmaster") }

    /// Proves the keys and tokens of Apple Music that a person entered.
    package static var setupVerifyAppleMusic: Self { verification("setup.verifyAppleMusic") }

    private static func verification(_ name: String) -> Self {
        Self(JobKind(name: name, version: 1, submitter: .system, maximumRunTime: .seconds(60)))
    }
}

/// The payload of the `setup.verify…` jobs, version 1: which candidate is to be proven. What it holds stays in the
/// database, sealed.
package struct VerificationPayload: Codable, Sendable, Equatable {
    package var candidateID: String

    package init(candidateID: String) {
        self.candidateID = candidateID
    }
}

/// What came of proving a candidate: the result of the `setup.verify…` jobs.
package struct VerificationResult: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        /// It works, and is the person's credential from now on.
        case accepted
        /// The upstream does not take it; nothing of it is kept.
        case refused
        /// Nobody knows: the upstream could not be asked, or did not say. Nothing of it is kept.
        case unavailable
        /// The candidate was taken back, replaced by a later one, or had expired before it could be proven.
        case gone
    }

    /// What was wrong, as problems of the API name it.
    package enum Code: String, Codable, Sendable, CaseIterable {
        // Refused.
        case keyRefused, keyRestricted, locationUnsupported, userTokenRefused, privateKeyUnreadable
        case subscriptionMissing, requestRefused
        // Unavailable.
        case networkError, upstreamError, invalidResponse, rateLimited, quotaExhausted, vaultUnavailable
    }

    package var verdict: Verdict
    package var code: Code?
    /// For people: what was wrong and what to do.
    package var detail: String?
    /// The field that is wrong, as the API calls it.
    package var field: String?
    /// Seconds after which trying again makes sense.
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
