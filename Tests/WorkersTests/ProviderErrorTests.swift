import AppleMusic
import Gemini
import Google
import Model
import Testing
import Upstream

@Suite("What the errors of providers mean")
struct ProviderErrorTests {
    private static let now = Timestamp(microseconds: 1_000_000)

    @Test(
        "Each error of Gemini's client is one failure",
        arguments: [
            (GeminiError.keyInvalid, ProviderFailure.Kind.keyRefused, "API_KEY_INVALID"),
            (.keyExpired, .keyRefused, "API_KEY_INVALID"),
            (.keyNotJudged, .requestRefused, "ACCESS_TOKEN_TYPE_UNSUPPORTED"),
            (.keyRestricted, .keyRestricted, "PERMISSION_DENIED"),
            (.locationUnsupported, .locationUnsupported, "FAILED_PRECONDITION"),
            (.unreadable, .unreadable, nil), (.upstreamError(status: 503), .serverError, nil),
            (.upstreamError(status: 404), .requestRefused, nil),
        ] as [(GeminiError, ProviderFailure.Kind, String?)])
    func gemini(error: GeminiError, kind: ProviderFailure.Kind, reason: String?) {
        let failure = error.failure(at: Self.now)
        #expect(failure == ProviderFailure(.gemini, kind, message: error.description, reason: reason))
    }

    @Test("Of a minute's quota Gemini's word is believed, a day's comes back at midnight of the US Pacific time")
    func quotas() throws {
        func until(_ isOfDay: Bool, _ wait: Duration?, at text: String) throws -> Timestamp? {
            GeminiError.quotaExceeded(isOfDay: isOfDay, retryAfter: wait)
                .failure(at: try #require(Timestamp(rfc3339: text))).until
        }
        let noon = "2026-11-20T20:00:00Z"
        #expect(try until(false, .seconds(26), at: noon) == Timestamp(rfc3339: "2026-11-20T20:00:26Z"))
        #expect(try until(false, nil, at: noon) == nil)
        #expect(try until(true, .seconds(26), at: noon) == Timestamp(rfc3339: "2026-11-21T08:00:00Z"))
        // The days on which the clocks change there have 23 and 25 hours.
        #expect(try until(true, nil, at: "2026-03-08T09:00:00Z") == Timestamp(rfc3339: "2026-03-09T07:00:00Z"))
        #expect(try until(true, nil, at: "2026-11-01T07:30:00Z") == Timestamp(rfc3339: "2026-11-02T08:00:00Z"))
    }

    @Test(
        "Each error of Apple Music's client is one failure",
        arguments: [
            (AppleMusicError.privateKeyUnreadable, ProviderFailure.Kind.privateKeyUnreadable, nil),
            (.developerTokenRefused, .keyRefused, nil), (.userTokenRefused, .userTokenRefused, nil),
            (.subscriptionMissing, .subscriptionMissing, "40015"),
            (.requestRefused(status: 400, code: "40005"), .requestRefused, "40005"),
            (.unreadable, .unreadable, nil), (.upstreamError(status: 500), .serverError, nil),
        ] as [(AppleMusicError, ProviderFailure.Kind, String?)])
    func appleMusic(error: AppleMusicError, kind: ProviderFailure.Kind, reason: String?) {
        let failure = error.failure(at: Self.now)
        #expect(failure == ProviderFailure(.appleMusic, kind, message: error.description, reason: reason))
    }

    @Test(
        "Each error of Google's client is one failure",
        arguments: [
            (GoogleError.codeRefused, ProviderFailure.Kind.grantRefused, "invalid_grant"),
            (.clientRefused, .clientRefused, nil), (.invalidResponse(reason: "x"), .unreadable, nil),
            (.upstreamError(status: 500), .serverError, nil), (.upstreamError(status: 404), .requestRefused, nil),
        ] as [(GoogleError, ProviderFailure.Kind, String?)])
    func google(error: GoogleError, kind: ProviderFailure.Kind, reason: String?) {
        let failure = error.failure(at: Self.now)
        #expect(failure == ProviderFailure(.google, kind, message: error.description, reason: reason))
    }

    @Test("A 429 without a word of when to come back pauses for a minute")
    func pauses() {
        let later = Timestamp(microseconds: 61_000_000)
        for failure in [
            AppleMusicError.rateLimited.failure(at: Self.now),
            GoogleError.upstreamError(status: 429).failure(at: Self.now),
        ] { #expect(failure.kind == .rateLimited && failure.until == later) }
    }
}
