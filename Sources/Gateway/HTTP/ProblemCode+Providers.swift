/// What a worker reports about a call to a provider. Every domain whose jobs call one may answer with them.
extension ProblemCode {
    // The credential.
    package static let keyRefused = ProblemCode("keyRefused")
    package static let keyRestricted = ProblemCode("keyRestricted")
    package static let userTokenRefused = ProblemCode("userTokenRefused")
    package static let privateKeyUnreadable = ProblemCode("privateKeyUnreadable")
    package static let codeRefused = ProblemCode("codeRefused")

    // The account.
    package static let accountNotAllowed = ProblemCode("accountNotAllowed")
    package static let subscriptionMissing = ProblemCode("subscriptionMissing")
    package static let scopeMissing = ProblemCode("scopeMissing")
    package static let forbidden = ProblemCode("forbidden")
    package static let locationUnsupported = ProblemCode("locationUnsupported")

    // The app or the installation.
    package static let ownerPremiumMissing = ProblemCode("ownerPremiumMissing")
    package static let clientRefused = ProblemCode("clientRefused")
    package static let tokenRequestRefused = ProblemCode("tokenRequestRefused")
    package static let secretsSealed = ProblemCode("secretsSealed")

    // The call.
    package static let requestRefused = ProblemCode("requestRefused")
    package static let rateLimited = ProblemCode("rateLimited")
    package static let quotaExhausted = ProblemCode("quotaExhausted")
    package static let serverError = ProblemCode("serverError")
    package static let timedOut = ProblemCode("timedOut")
    package static let notReached = ProblemCode("notReached")
    package static let unreadable = ProblemCode("unreadable")
    package static let networkError = ProblemCode("networkError")
    package static let upstreamError = ProblemCode("upstreamError")
    package static let invalidResponse = ProblemCode("invalidResponse")

    /// The codes of what a provider answered, or of why it did not.
    package static let providers: [ProblemCode] = [
        keyRefused, keyRestricted, userTokenRefused, privateKeyUnreadable, codeRefused, accountNotAllowed,
        subscriptionMissing, scopeMissing, forbidden, locationUnsupported, ownerPremiumMissing, clientRefused,
        tokenRequestRefused, secretsSealed, requestRefused, rateLimited, quotaExhausted, serverError, timedOut,
        notReached, unreadable, networkError, upstreamError, invalidResponse,
    ]
}
