import Gateway

extension ProblemCode {
    // Signing in and out.
    package static let noSession = ProblemCode("noSession")
    package static let invalidLink = ProblemCode("invalidLink")
    package static let invalidToken = ProblemCode("invalidToken")
    package static let googleNotConfigured = ProblemCode("googleNotConfigured")
    package static let clientSecretUnreadable = ProblemCode("clientSecretUnreadable")
    package static let signUpClosed = ProblemCode("signUpClosed")
    package static let accountSuspended = ProblemCode("accountSuspended")
    package static let invalidInvitation = ProblemCode("invalidInvitation")
    package static let recentSignInRequired = ProblemCode("recentSignInRequired")

    // The account.
    package static let usernameTaken = ProblemCode("usernameTaken")
    package static let usernameChangedRecently = ProblemCode("usernameChangedRecently")
    package static let noFormerUsername = ProblemCode("noFormerUsername")
    package static let lastAdministrator = ProblemCode("lastAdministrator")
    package static let tooManyInvitations = ProblemCode("tooManyInvitations")
    package static let tokenNameTaken = ProblemCode("tokenNameTaken")
    package static let tooManyTokens = ProblemCode("tooManyTokens")

    // A picture that a person uploads.
    package static let unsupportedPicture = ProblemCode("unsupportedPicture")
    package static let tooManyPixels = ProblemCode("tooManyPixels")
    package static let damagedPicture = ProblemCode("damagedPicture")
    package static let pictureUploadsUnavailable = ProblemCode("pictureUploadsUnavailable")

    // Google's ID tokens.
    package static let idTokenTooLarge = ProblemCode("idTokenTooLarge")
    package static let idTokenMalformed = ProblemCode("idTokenMalformed")
    package static let idTokenAlgorithmWrong = ProblemCode("idTokenAlgorithmWrong")
    package static let idTokenKeyUnknown = ProblemCode("idTokenKeyUnknown")
    package static let idTokenSignatureWrong = ProblemCode("idTokenSignatureWrong")
    package static let idTokenIssuerWrong = ProblemCode("idTokenIssuerWrong")
    package static let idTokenAudienceWrong = ProblemCode("idTokenAudienceWrong")
    package static let idTokenExpired = ProblemCode("idTokenExpired")
    package static let idTokenNotYetValid = ProblemCode("idTokenNotYetValid")
    package static let idTokenNonceWrong = ProblemCode("idTokenNonceWrong")
    package static let idTokenUsed = ProblemCode("idTokenUsed")

    /// The codes of this domain.
    package static let accounts: [ProblemCode] = [
        noSession, invalidLink, invalidToken, googleNotConfigured, clientSecretUnreadable, signUpClosed,
        accountSuspended, invalidInvitation, recentSignInRequired, usernameTaken, usernameChangedRecently,
        noFormerUsername, lastAdministrator, tooManyInvitations, tokenNameTaken, tooManyTokens, unsupportedPicture,
        tooManyPixels, damagedPicture, pictureUploadsUnavailable, idTokenTooLarge, idTokenMalformed,
        idTokenAlgorithmWrong, idTokenKeyUnknown, idTokenSignatureWrong, idTokenIssuerWrong, idTokenAudienceWrong,
        idTokenExpired, idTokenNotYetValid, idTokenNonceWrong, idTokenUsed,
    ]
}
