import Contracts
import Google

extension IDTokenError {
    /// As sign-in names it.
    var code: GoogleSignInResult.Code {
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
