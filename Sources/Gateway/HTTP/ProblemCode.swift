/// What went wrong, for programs: the `code` of a ``Problem``.
///
/// This is the only list of the codes. `docs/openapi.yaml` and the pages are tested against it.
enum ProblemCode: String, CaseIterable, Sendable {
    // The connection: the gateway closes it after the answer.
    case invalidHTTP, requestTimeout, targetTooLong, headerTooLarge, tooManyConnections

    // The request.
    case invalidJSON, invalidField, invalidParameter, invalidIdempotencyKey, bodyTooLarge, unsupportedEncoding
    case methodNotAllowed, notFound, noSuchEndpoint

    // The caller, and how much it may do.
    case unauthorized, tokenScope, adminOnly, crossOrigin, tooManyRequests, tooManyAttempts, quotaReached

    // Signing in, and accounts.
    case noSession, invalidLink, invalidToken, usernameTaken, tokenNameTaken, tooManyTokens
    case signUpClosed, consentFailed, googleNotConfigured, clientSecretUnreadable
    case idTokenTooLarge, idTokenMalformed, idTokenAlgorithmWrong, idTokenKeyUnknown, idTokenSignatureWrong
    case idTokenIssuerWrong, idTokenAudienceWrong, idTokenExpired, idTokenNotYetValid, idTokenNonceWrong, idTokenUsed

    // Jobs.
    case uniqueKeyReused, idempotencyKeyReused, alreadyFinished, notFailed, notRequeueable

    // Artists and concerts.
    case listFull, duplicateArtist, invalidPosition, nameEmpty, nameTooLong, nameHasControlCharacter
    case noArtists, noDates, nothingToRetry, noTopArtists

    // Catalogs of services.
    case spotifyNotConnected, appleMusicNotConnected, scopeMissing, forbidden

    // Libraries.
    case accountKnown, alreadyApart, oneTrack, splitsNothing
    case notSupportedBySource, notYourPlaylist, playlistChanged, playlistNotRead, sourceNotRead, trackNotInSource
    case tooManyEdits, notUnclear, nothingMissing, copyNotComplete
    case importRunning, importTooOld, importFolderFull, fileMissing

    // Lists that are made for people.
    case libraryEmpty, listNotComplete, tooManyLists, notAsked

    // Pictures.
    case pictureUnavailable

    // Setup: a provider's key.
    case keyRefused, keyRestricted, locationUnsupported, userTokenRefused, privateKeyUnreadable
    case subscriptionMissing, requestRefused, superseded, noVerdict
    case networkError, upstreamError, invalidResponse, rateLimited, quotaExhausted

    // Setup: a linked account.
    case spotifyNotConfigured, appleMusicNotConfigured, otherAddress, tooManyAuthorizations, stateUnknown
    case authorizationOver, otherAccount, accountUnknown, questionExpired
    case codeRefused, accountNotAllowed, ownerPremiumMissing, clientRefused
    case tokenRequestRefused, secretsSealed
    case serverError, timedOut, notReached, unreadable

    // This installation.
    case internalError, pagesUnavailable, stopping, gatewayBusy, vaultUnavailable
    case storageBusy, storageFull, storageReadOnly, storageFailed, storageCorrupt
}

extension ProblemCode {
    /// A code that a worker reported in a job's result. A worker of another version can report one that is not in the
    /// list, and a result can lack one: both are ``noVerdict``.
    init(reported code: String?) {
        self = code.flatMap(Self.init) ?? .noVerdict
    }
}
