import Glibc
import HTTPTypes
import Hummingbird
import Jobs
import Logging
import Model
import NIOCore
import NIOHTTP1
import Storage
import Telemetry

/// Turns errors of the middleware and routes below it into a ``Problem``.
package struct ProblemMiddleware: RouterMiddleware {
    package typealias Context = GatewayContext

    /// The limits that problems name.
    private let limits: ConnectionLimits
    private let secretPaths: SecretPaths
    private let throttle = LogThrottle()

    package init(limits: ConnectionLimits = ConnectionLimits(), secretPaths: SecretPaths = SecretPaths([])) {
        (self.limits, self.secretPaths) = (limits, secretPaths)
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch  where Self.isClientGone(error) {
            context.logger.debug("the client disconnected", metadata: ["error": "\(error)"])
            return Response(status: .clientClosedRequest)
        } catch {
            return problem(for: error, request: request, context: context).response()
        }
    }

    /// Whether an error only means that the client is gone: the connection ended during the request, or the task was
    /// cancelled with it.
    package static func isClientGone(_ error: any Error) -> Bool {
        switch error {
        case HTTPParserError.invalidEOFState: true
        case is CancellationError: Task.isCancelled
        case let error as ChannelError:
            [.eof, .inputClosed, .outputClosed, .ioOnClosedChannel, .alreadyClosed].contains(error)
        case let error as IOError: [ECONNRESET, EPIPE, ETIMEDOUT, ECONNABORTED].contains(error.errnoCode)
        default: false
        }
    }

    /// The problem that answers an error. Errors of the gateway are logged.
    package func problem(for error: any Error, request: Request, context: Context) -> Problem {
        if let problem = Problem.refusing(error, limits: limits) { return problem }
        switch error {
        case let problem as Problem:
            return problem
        case SubmissionError.uniqueKeyReused(let jobID):
            return .invalidRequest(
                code: .uniqueKeyReused,
                "The unfinished job \(jobID) has this uniqueKey, but was submitted by a different request. "
                    + "Wait until it ends, cancel it, or choose another key.", field: "$.uniqueKey")
        case SubmissionError.idempotencyKeyReused:
            return .invalidRequest(
                code: .idempotencyKeyReused,
                "This Idempotency-Key was already used with another request. Choose a new key for a new request.")
        case SubmissionError.notRequeueable:
            return .conflict(
                code: .notRequeueable,
                "The failure of this job has effects that cannot be undone, so it cannot run again. Submit a new job.")
        case let reached as QuotaReached:
            return .quotaReached(reached)
        case let error as StorageError:
            context.logger.log(
                level: .error, "the database refused a request", metadata: ["error": "\(error)"], throttle: throttle)
            return Self.problem(for: error, isAdmin: context.visitor.user?.isAdmin == true)
        case let error as any HTTPResponseError where error.status == .notFound:
            return Problem(
                .notFound, code: .noSuchEndpoint, title: "Not found",
                detail: "There is nothing at \(request.method) \(request.uri.path.prefix(200)).")
        default:
            context.logger.error(
                "a request failed unexpectedly",
                metadata: [
                    "method": "\(request.method)", "path": "\(secretPaths.masked(request.loggedPath(context)))",
                    "error": "\(error)",
                ])
            return Problem(
                .internalServerError, code: .internalError, title: "Something went wrong",
                detail: "The request failed with an unexpected error. The gateway's log has the details.")
        }
    }

    /// - Parameter isAdmin: whether the client is an administrator, who may see paths and process ids.
    static func problem(for error: StorageError, isAdmin: Bool) -> Problem {
        let detail = isAdmin ? error.description : error.publicDescription
        if case .corrupt = error {
            return Problem(
                .internalServerError, code: .storageCorrupt, title: "The database is damaged", detail: detail)
        }
        let code: ProblemCode
        switch error {
        case .busy: code = .storageBusy
        case .diskFull: code = .storageFull
        case .readOnly: code = .storageReadOnly
        default: code = .storageFailed
        }
        return Problem(
            .serviceUnavailable, code: code, title: "The database cannot do this now", detail: detail, retryAfter: 5)
    }
}

extension HTTPResponse.Status {
    /// nginx's status for a client that closed the connection. It is logged and counted, and never sent.
    package static let clientClosedRequest = HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request")
}
