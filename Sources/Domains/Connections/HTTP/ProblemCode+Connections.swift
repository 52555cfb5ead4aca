import Gateway

extension ProblemCode {
    // What the installation offers.
    package static let spotifyNotConfigured = ProblemCode("spotifyNotConfigured")
    package static let otherAddress = ProblemCode("otherAddress")

    // Attempts to connect an account.
    package static let tooManyAuthorizations = ProblemCode("tooManyAuthorizations")
    package static let authorizationOver = ProblemCode("authorizationOver")
    package static let otherAccount = ProblemCode("otherAccount")
    package static let accountUnknown = ProblemCode("accountUnknown")
    package static let questionExpired = ProblemCode("questionExpired")

    /// The codes of this domain.
    package static let connections: [ProblemCode] = [
        spotifyNotConfigured, otherAddress, tooManyAuthorizations, authorizationOver,
        otherAccount, accountUnknown, questionExpired,
    ]
}
