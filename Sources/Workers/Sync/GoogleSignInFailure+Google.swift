import Accounts
import Contracts
import Google
import Model
import Upstream

extension GoogleSignIn.Failure {
    static let clientSecretUnreadable = Self(
        .unavailable(
            .clientSecretUnreadable,
            "This Backline cannot read the secret of its Google client. Whoever runs it finds the reason in the "
                + "sync-worker's log (google.clientSecretFile).", retryAfter: 60))

    /// Runs a call, and throws its errors as reasons why it is not known who somebody is.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw Self(translating: error) ?? error
        }
    }

    /// `nil` for what is no word of Google's: cancellation, the database.
    private init?(translating error: any Error) {
        switch error {
        case let error as IDTokenError: self.init(.refused(error.code, error.description))
        case let error as GoogleError: self.init(error.result)
        case let error as UpstreamError: self.init(error.result)
        default: return nil
        }
    }
}

extension IDTokenError {
    fileprivate var code: GoogleSignInResult.Code {
        switch self {
        case .tooLarge: .idTokenTooLarge
        case .malformed: .idTokenMalformed
        case .wrongAlgorithm: .idTokenAlgorithmWrong
        case .unknownKey: .idTokenKeyUnknown
        case .wrongSignature: .idTokenSignatureWrong
        case .wrongIssuer: .idTokenIssuerWrong
        case .wrongAudience: .idTokenAudienceWrong
        case .expired: .idTokenExpired
        case .notYetValid: .idTokenNotYetValid
        case .wrongNonce: .idTokenNonceWrong
        }
    }
}

extension GoogleError {
    fileprivate var result: GoogleSignInResult {
        switch self {
        case .codeRefused: .refused(.codeRefused, description)
        case .clientRefused: .unavailable(.clientRefused, description, retryAfter: 60)
        case .invalidResponse: .unavailable(.invalidResponse, description)
        case .upstreamError(429): .unavailable(.rateLimited, description, retryAfter: 60)
        case .upstreamError: .unavailable(.upstreamError, description)
        }
    }
}

extension UpstreamError {
    fileprivate var result: GoogleSignInResult {
        let code: GoogleSignInResult.Code =
            switch self {
            case .connectionFailed, .timedOut: .networkError
            case .paused: .rateLimited
            case .circuitOpen: .upstreamError
            case .responseTooLarge, .invalidBaseURL, .invalidRequest: .invalidResponse
            }
        return .unavailable(code, sentence(service: "Google"), retryAfter: retryAfter)
    }
}
