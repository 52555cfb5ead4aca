/// Why an ID token is not accepted. No case contains a part of the token.
package enum IDTokenError: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case tooLarge
    case malformed
    case wrongAlgorithm
    case unknownKey
    case wrongSignature
    case wrongIssuer
    /// The token was issued for an app that is not among `google.clientIDs`.
    case wrongAudience
    case expired
    case notYetValid
    case wrongNonce

    package var description: String {
        switch self {
        case .tooLarge: "The ID token is longer than any that Google issues."
        case .malformed: "This is not an ID token: send the complete id_token that Google gave your app."
        case .wrongAlgorithm: "The ID token is not signed the way Google signs (RS256)."
        case .unknownKey: "The ID token names a key that Google does not publish. Get a new one and send it again."
        case .wrongSignature: "The ID token's signature is wrong: it was changed, or Google did not issue it."
        case .wrongIssuer: "The ID token was not issued by Google."
        case .wrongAudience:
            "The ID token was issued for another app. The operator can add the app's client id to google.clientIDs."
        case .expired: "The ID token has expired; it is valid for an hour. Sign in with Google again."
        case .notYetValid: "The ID token is not valid yet: check the clock of the machine that Backline runs on."
        case .wrongNonce: "The ID token belongs to another sign-in. Start again."
        }
    }
}
