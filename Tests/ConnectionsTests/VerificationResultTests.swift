import Contracts
import Model
import Testing

@testable import Connections

@Suite("Verification results of failed calls")
struct VerificationResultTests {
    private static func result(_ provider: Provider, _ kind: ProviderFailure.Kind) -> VerificationResult {
        VerificationResult(ProviderFailure(provider, kind, message: "why"))
    }

    @Test(
        "A failure about an entered credential is a refusal, with the wrong field",
        arguments: [
            (Provider.gemini, ProviderFailure.Kind.keyRefused, VerificationResult.Code.keyRefused, "apiKey"),
            (.ticketmaster, .credentialMissing, .keyRefused, "apiKey"),
            (.gemini, .keyRestricted, .keyRestricted, "apiKey"),
            (.gemini, .locationUnsupported, .locationUnsupported, "apiKey"),
            (.appleMusic, .keyRefused, .keyRefused, "privateKey"),
            (.appleMusic, .privateKeyUnreadable, .privateKeyUnreadable, "privateKey"),
            (.appleMusic, .userTokenRefused, .userTokenRefused, "userToken"),
            (.appleMusic, .subscriptionMissing, .subscriptionMissing, "userToken"),
            (.appleMusic, .requestRefused, .requestRefused, nil),
        ] as [(Provider, ProviderFailure.Kind, VerificationResult.Code, String?)])
    func refusedCredential(
        provider: Provider, kind: ProviderFailure.Kind, code: VerificationResult.Code, field: String?
    ) {
        #expect(Self.result(provider, kind) == .refused(code: code, "why", field: field))
    }

    @Test(
        "Any other failure is not a refusal of the credential",
        arguments: [
            (ProviderFailure.Kind.notReached, VerificationResult.Code.networkError), (.timedOut, .networkError),
            (.serverError, .upstreamError), (.forbidden, .upstreamError), (.requestRefused, .upstreamError),
            (.unreadable, .invalidResponse), (.addressUnusable, .invalidResponse), (.rateLimited, .rateLimited),
            (.quotaExhausted, .quotaExhausted), (.secretsSealed, .vaultUnavailable),
        ])
    func otherFailures(kind: ProviderFailure.Kind, code: VerificationResult.Code) {
        #expect(Self.result(.gemini, kind) == .unavailable(code: code, "why"))
    }

    @Test("A fault of the installation's Apple key is not a refusal of the entered credential")
    func installationKey() {
        for kind in [ProviderFailure.Kind.credentialMissing, .clientRefused] {
            #expect(Self.result(.appleMusic, kind) == .unavailable(code: .upstreamError, "why"))
        }
    }

    @Test("A credential that cannot be sent is refused with a text of its own, and a pause has its length")
    func textsOfRefusals() {
        let unsendable = Self.result(.gemini, .requestUnsendable)
        #expect(unsendable.code == .keyRefused && unsendable.detail?.contains("characters") == true)
        let until = Timestamp.now().advanced(by: .seconds(60))
        let pause = VerificationResult(ProviderFailure(.gemini, .rateLimited, until: until, message: ""))
        #expect(pause.retryAfter.map { (55...60).contains($0) } == true)
    }
}
