import AppleMusic
import Gemini
import Google
import Model
import Testing
import Upstream

@Suite("Errors of providers as failures")
struct ProviderErrorTests {
    private static let now = Timestamp(microseconds: 1_000_000)

    @Test(
        "Each error of Gemini's client is one failure, with Google's own code",
        arguments: [
            (GeminiError.Kind.keyInvalid, ProviderFailure.Kind.keyRefused), (.keyExpired, .keyRefused),
            (.keyNotChecked, .requestRefused), (.keyRestricted, .keyRestricted),
            (.locationUnsupported, .locationUnsupported), (.unreadable, .unreadable),
            (.upstreamError(status: 503), .serverError), (.upstreamError(status: 404), .requestRefused),
        ] as [(GeminiError.Kind, ProviderFailure.Kind)])
    func errorsOfGemini(error: GeminiError.Kind, kind: ProviderFailure.Kind) {
        for reason in [nil, "A_CODE"] {
            let error = GeminiError(error, reason: reason)
            let failure = error.failure(at: Self.now)
            #expect(failure == ProviderFailure(.gemini, kind, message: error.description, reason: reason))
        }
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
    func errorsOfGoogle(error: GoogleError, kind: ProviderFailure.Kind, reason: String?) {
        let failure = error.failure(at: Self.now)
        #expect(failure == ProviderFailure(.google, kind, message: error.description, reason: reason))
    }

    @Test("A 429 waits as long as Google asks, otherwise a minute", arguments: [("7", 7), ("0", 1), (nil, 60)])
    func googlesPause(retryAfter: String?, seconds: Int64) async throws {
        let client = GoogleClient(issuer: try BaseURL("http://127.0.0.1")) { _, _ in
            UpstreamResponse(status: 429, headers: retryAfter.map { ["retry-after": $0] } ?? [:])
        }
        await #expect(throws: GoogleError.rateLimited(after: .seconds(seconds))) { try await client.endpoints() }
    }

    @Test("A 429 waits as long as its error says")
    func lengthsOfPauses() {
        let later = Timestamp(microseconds: 8_000_000)
        let failures = [
            AppleMusicError.rateLimited(after: .seconds(7)).failure(at: Self.now),
            GoogleError.rateLimited(after: .seconds(7)).failure(at: Self.now),
            GeminiError(.quota(after: .seconds(7))).failure(at: Self.now),
        ]
        for failure in failures { #expect(failure.kind == .rateLimited && failure.until == later) }
    }
}
