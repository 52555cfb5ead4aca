import Accounts
import Contracts
import Google

extension IDTokenError {
    /// The code of the sign-in's result.
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
