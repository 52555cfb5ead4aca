import Accounts
import Contracts
import Model
import Testing

@Suite("Results of sign-ins whose call to Google failed")
struct GoogleSignInResultTests {
    @Test(
        "Each failure has its code, and mistakes of the operator have a time to retry",
        arguments: [
            (ProviderFailure.Kind.notReached, GoogleSignInResult.Code.networkError, nil),
            (.timedOut, .networkError, nil), (.rateLimited, .rateLimited, nil), (.quotaExhausted, .rateLimited, nil),
            (.serverError, .upstreamError, nil), (.requestRefused, .upstreamError, nil),
            (.unreadable, .invalidResponse, nil), (.addressUnusable, .invalidResponse, nil),
            (.requestUnsendable, .invalidResponse, nil), (.clientRefused, .clientRefused, 60),
            (.credentialMissing, .clientSecretUnreadable, 60), (.secretsSealed, .vaultUnavailable, 60),
        ])
    func codesOfFailures(kind: ProviderFailure.Kind, code: GoogleSignInResult.Code, retryAfter: Int?) {
        let result = GoogleSignInResult(ProviderFailure(.google, kind, message: "why"))
        #expect(result == .unavailable(code, "why", retryAfter: retryAfter))
    }

    @Test("A code that Google refuses is refused")
    func refusedCode() {
        let result = GoogleSignInResult(ProviderFailure(.google, .grantRefused, message: "why"))
        #expect(result == .refused(.codeRefused, "why"))
    }
}
