/// What went wrong, for programs: the `code` of a ``Problem``.
///
/// The set is open: every domain declares its own codes next to the routes that answer with them, in
/// `ProblemCode+<Domain>.swift`, lists them there, and gives that list to the module Composition with its other parts.
/// Codes of the gateway itself, and those that several domains use, are in ``edge`` and ``providers``.
/// `docs/openapi.yaml` and the pages are tested against all lists.
package struct ProblemCode: Hashable, Sendable, CustomStringConvertible {
    /// The code in the API, in camelCase.
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    package var description: String { rawValue }
}

extension ProblemCode {
    /// A code that a worker reported in a job's result. A worker of another version can report one that is not in the
    /// lists, and a result can lack one: both are ``noVerdict``.
    ///
    /// - Parameter codes: those of the domain whose job it is. It may also report the codes that several domains use.
    package init(reported code: String?, among codes: [ProblemCode]) {
        let known = [codes, Self.providers, Self.edge].joined()
        self = known.first { $0.rawValue == code } ?? .noVerdict
    }
}

extension ProblemCode {
    // The connection: the gateway closes it after the answer.
    package static let invalidHTTP = ProblemCode("invalidHTTP")
    package static let requestTimeout = ProblemCode("requestTimeout")
    package static let targetTooLong = ProblemCode("targetTooLong")
    package static let headerTooLarge = ProblemCode("headerTooLarge")
    package static let tooManyConnections = ProblemCode("tooManyConnections")

    // The request.
    package static let invalidJSON = ProblemCode("invalidJSON")
    package static let invalidField = ProblemCode("invalidField")
    package static let invalidParameter = ProblemCode("invalidParameter")
    package static let invalidIdempotencyKey = ProblemCode("invalidIdempotencyKey")
    package static let bodyTooLarge = ProblemCode("bodyTooLarge")
    package static let unsupportedEncoding = ProblemCode("unsupportedEncoding")
    package static let methodNotAllowed = ProblemCode("methodNotAllowed")
    package static let notFound = ProblemCode("notFound")
    package static let noSuchEndpoint = ProblemCode("noSuchEndpoint")

    // The caller, and how much it may do.
    package static let unauthorized = ProblemCode("unauthorized")
    package static let tokenScope = ProblemCode("tokenScope")
    package static let adminOnly = ProblemCode("adminOnly")
    package static let crossOrigin = ProblemCode("crossOrigin")
    package static let tooManyRequests = ProblemCode("tooManyRequests")
    package static let tooManyAttempts = ProblemCode("tooManyAttempts")
    package static let quotaReached = ProblemCode("quotaReached")
    package static let actLimitReached = ProblemCode("actLimitReached")

    // Jobs.
    package static let uniqueKeyReused = ProblemCode("uniqueKeyReused")
    package static let idempotencyKeyReused = ProblemCode("idempotencyKeyReused")
    package static let alreadyFinished = ProblemCode("alreadyFinished")
    package static let notFailed = ProblemCode("notFailed")
    package static let notRequeueable = ProblemCode("notRequeueable")

    // Requests that several domains take.
    package static let superseded = ProblemCode("superseded")
    package static let playlistNotRead = ProblemCode("playlistNotRead")
    package static let trackNotInSource = ProblemCode("trackNotInSource")
    package static let consentFailed = ProblemCode("consentFailed")
    package static let selfTarget = ProblemCode("selfTarget")
    package static let stateUnknown = ProblemCode("stateUnknown")
    package static let appleMusicNotConfigured = ProblemCode("appleMusicNotConfigured")

    // This installation.
    package static let noVerdict = ProblemCode("noVerdict")
    package static let internalError = ProblemCode("internalError")
    package static let pagesUnavailable = ProblemCode("pagesUnavailable")
    package static let stopping = ProblemCode("stopping")
    package static let gatewayBusy = ProblemCode("gatewayBusy")
    package static let vaultUnavailable = ProblemCode("vaultUnavailable")
    package static let storageBusy = ProblemCode("storageBusy")
    package static let storageFull = ProblemCode("storageFull")
    package static let storageReadOnly = ProblemCode("storageReadOnly")
    package static let storageFailed = ProblemCode("storageFailed")
    package static let storageCorrupt = ProblemCode("storageCorrupt")

    /// The codes of the gateway itself, and those of requests that several domains take.
    package static let edge: [ProblemCode] = [
        invalidHTTP, requestTimeout, targetTooLong, headerTooLarge, tooManyConnections, invalidJSON, invalidField,
        invalidParameter, invalidIdempotencyKey, bodyTooLarge, unsupportedEncoding, methodNotAllowed, notFound,
        noSuchEndpoint, unauthorized, tokenScope, adminOnly, crossOrigin, tooManyRequests, tooManyAttempts,
        quotaReached, actLimitReached, uniqueKeyReused, idempotencyKeyReused, alreadyFinished, notFailed,
        notRequeueable, superseded, playlistNotRead, trackNotInSource, consentFailed, selfTarget, stateUnknown,
        appleMusicNotConfigured, noVerdict, internalError, pagesUnavailable, stopping, gatewayBusy, vaultUnavailable,
        storageBusy, storageFull, storageReadOnly,
        storageFailed, storageCorrupt,
    ]
}
