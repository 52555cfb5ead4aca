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

/// Turns whatever goes wrong below it into a ``Problem``.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    private let throttle = LogThrottle()

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch where Self.isClientGone(error) {
            context.logger.debug("the client went away", metadata: ["error": "\(error)"])
            return Response(status: .clientClosedRequest)
        } catch {
            return problem(for: error, request: request, context: context).response()
        }
    }

    /// Whether an error only says that nobody waits for an answer any more: the connection ended within the
    /// request, or the task was cancelled with it.
    static func isClientGone(_ error: any Error) -> Bool {
        switch error {
        case HTTPParserError.invalidEOFState: true
        case is CancellationError: Task.isCancelled
        case let error as ChannelError:
            [.eof, .inputClosed, .outputClosed, .ioOnClosedChannel, .alreadyClosed].contains(error)
        case let error as IOError: [ECONNRESET, EPIPE, ETIMEDOUT, ECONNABORTED].contains(error.errnoCode)
        default: false
        }
    }

    /// What a client is told of an error, which is logged if it is of the gateway's side.
    func problem(for error: any Error, request: Request, context: Context) -> Problem {
        if let problem = Problem.refusing(error) { return problem }
        switch error {
        case let problem as Problem:
            return problem
        case SubmissionError.uniqueKeyReused(let jobID):
            return .invalidRequest(
                code: "uniqueKeyReused",
                "The unfinished job \(jobID) has this uniqueKey and was asked for with another body. "
                    + "Wait for its end, cancel it, or choose another key.", field: "$.uniqueKey")
        case SubmissionError.idempotencyKeyReused:
            return .invalidRequest(
                code: "idempotencyKeyReused",
                "This Idempotency-Key was used with another request. Choose a new key for a new request.")
        case SubmissionError.notRequeueable:
            return .conflict(
                code: "notRequeueable",
                "What was written when this job failed cannot be taken back, so it cannot run again. Submit it anew.")
        case let reached as QuotaReached:
            return .quotaReached(reached)
        case let error as StorageError:
            context.logger.log(
                level: .error, "the database refused a request", metadata: ["error": "\(error)"], throttle: throttle)
            return Self.problem(for: error, isAdmin: context.visitor.user?.isAdmin == true)
        case let error as any HTTPResponseError where error.status == .notFound:
            return Problem(
                .notFound, code: "noSuchEndpoint", title: "Not found",
                detail: "There is nothing at \(request.method) \(request.uri.path.prefix(200)).")
        default:
            context.logger.error(
                "a request failed unexpectedly",
                metadata: ["method": "\(request.method)", "path": "\(request.uri.path)", "error": "\(error)"])
            return Problem(
                .internalServerError, code: "internalError", title: "Something went wrong",
                detail: "The request met an error that was not expected; the gateway's log says more.")
        }
    }

    /// - Parameter isAdmin: whether it is told to somebody who may know of paths and process ids.
    static func problem(for error: StorageError, isAdmin: Bool) -> Problem {
        let detail = isAdmin ? error.description : error.publicDescription
        if case .corrupt = error {
            return Problem(
                .internalServerError, code: "storageCorrupt", title: "The database is damaged", detail: detail)
        }
        let code: String
        switch error {
        case .busy: code = "storageBusy"
        case .diskFull: code = "storageFull"
        case .readOnly: code = "storageReadOnly"
        default: code = "storageFailed"
        }
        return Problem(
            .serviceUnavailable, code: code, title: "The database cannot take this now", detail: detail, retryAfter: 5)
    }
}

extension HTTPResponse.Status {
    /// nginx' number for what is logged and counted, and sent to nobody.
    static let clientClosedRequest = HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request")
}
