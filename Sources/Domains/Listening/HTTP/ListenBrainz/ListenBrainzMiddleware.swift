import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage
import Telemetry

/// Answers requests to the ListenBrainz API: everything below `/1/`, and the other forms that programs build from what
/// people type (`//1/x`, `/1/1/x`, and all of them below `/apis/listenbrainz`). It never redirects, since programs lose
/// the bodies of redirected requests, and answers JSON in every case.
///
/// It is not a route: one path has a dozen forms, and a router would answer unknown ones in another way.
struct ListenBrainzMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let api: ListenBrainzAPI
    let admission: RequestAdmission
    let throttle: SignInThrottle
    let rate: ListenRate
    private let logThrottle = LogThrottle()
    /// The seconds until it makes sense to resend what a quota did not allow: the person has to make room first.
    private static let quotaRetry = 600

    init(api: ListenBrainzAPI, admission: RequestAdmission, throttle: SignInThrottle, rate: ListenRate) {
        (self.api, self.admission, self.throttle, self.rate) = (api, admission, throttle, rate)
    }

    /// The parts of a path below `/1`; `nil` for a path of another part of the gateway.
    static func parts(of path: String) -> [String]? {
        var parts = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }[...]
        let isBelow = parts.starts(with: ["apis", "listenbrainz"])
        if isBelow { parts = parts.dropFirst(2) }
        guard isBelow || parts.first == "1" else { return nil }
        while parts.first == "1" { parts = parts.dropFirst() }
        return Array(parts)
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let parts = Self.parts(of: request.uri.path) else { return try await next(request, context) }
        let methods = Self.methods(of: parts)
        if request.method == .options, !methods.isEmpty { return answer(.ok, [], methods, rateStatus: nil) }
        var rateStatus: ListenRate.Status?
        do {
            guard !methods.isEmpty else { throw ListenBrainzError.notFound }
            guard methods.contains(request.method) || request.method == .head && methods.contains(.get) else {
                throw ListenBrainzError(.methodNotAllowed, "The method is not allowed for the requested URL.")
            }
            let claim = Claim(request, mayBeParameter: parts.first == "validate-token")
            let identity =
                if let token = claim.token { try await admission.identity(of: token) } else { RequestIdentity.none }
            let body = try await admission.admit(request, of: identity, context) { request, context in
                let answerer = Answerer(self, request, context, parts, claim)
                return try await answerer.answer { user, amount in
                    let now = rate.count(user.id, amount)
                    rateStatus = now
                    guard now.remaining >= 0 else {
                        throw ListenBrainzError(
                            .tooManyRequests,
                            "You have exceeded your rate limit. See the X-RateLimit-* response headers for more "
                                + "information.", retryAfter: now.resetIn)
                    }
                }
            }
            return answer(body.isEmpty ? .noContent : .ok, body, methods, rateStatus: rateStatus)
        } catch  where ProblemMiddleware.isClientGone(error) {
            return Response(status: .clientClosedRequest)
        } catch {
            var refusal = refusal(for: error, context)
            // Programs wait for X-RateLimit-Reset-In when nothing remains.
            if refusal.status == .tooManyRequests { rateStatus = rate.exhausted(for: refusal.retryAfter ?? 1) }
            // A program gives up a listen that is refused with 429 or 507, and sends it again after 503.
            if parts.first == "submit-listens", [429, 507].contains(refusal.status.code) {
                refusal = ListenBrainzError(.serviceUnavailable, refusal.text, retryAfter: refusal.retryAfter)
            }
            return answer(refusal.status, refusal.json, methods, rateStatus: rateStatus, retryAfter: refusal.retryAfter)
        }
    }

    /// The proof of identity that came with a request.
    enum Claim {
        case missing
        /// A header of one word.
        case malformed
        /// A header of another scheme, such as the one with which a proxy in front of the gateway lets people in.
        case ofOtherScheme
        /// `nil` for text that is too long to be a token, and so is nobody's.
        case token(APIToken?)

        private static let longestToken = 200

        /// - Parameter mayBeParameter: whether the parameter `token` counts where no header has a token. Proxies log
        ///   it, so it counts nowhere else.
        init(_ request: Request, mayBeParameter: Bool) {
            let words = request.headers[.authorization]?.split(separator: " ") ?? []
            if words.count > 1, ["token", "bearer"].contains(words[0].lowercased()) {
                self = .token(Self.token(words[1]))
            } else if mayBeParameter, let text = request.parameter("token"), !text.isEmpty {
                self = .token(Self.token(text[...]))
            } else {
                self = words.isEmpty ? .missing : words.count == 1 ? .malformed : .ofOtherScheme
            }
        }

        private static func token(_ text: Substring) -> APIToken? {
            text.utf8.count <= longestToken ? APIToken(secret: Secret(String(text))) : nil
        }

        var token: APIToken? {
            if case .token(let token) = self { token } else { nil }
        }
    }

    private static func methods(of parts: [String]) -> [HTTPRequest.Method] {
        switch parts.first {
        case "submit-listens" where parts.count == 1, "delete-listen" where parts.count == 1: [.post, .options]
        case "validate-token" where parts.count == 1: [.get, .options]
        case "latest-import" where parts.count == 1: [.get, .post, .options]
        case "playing-now" where parts == ["playing-now", "delete"]: [.post, .options]
        case "feedback": ListenFeedbackAPI.methods(of: parts)
        case "stats" where parts.count == 4 && parts[1] == "user" && ListenBrainzStats.kinds.contains(parts[3]):
            [.get, .options]
        case "user" where parts.count == 3 && Answerer.userLists.contains(parts[2]): [.get, .options]
        default: []
        }
    }

    private func refusal(for error: any Error, _ context: Context) -> ListenBrainzError {
        switch error {
        case let error as ListenBrainzError: return error
        case let problem as Problem where problem.code == .bodyTooLarge: return .tooLarge
        case let problem as Problem:
            return ListenBrainzError(problem.status, problem.detail, retryAfter: problem.retryAfter)
        case let reached as QuotaReached:
            // A program gives up a listen that is refused with 429 or 400, and sends it again after 503.
            return ListenBrainzError(
                .serviceUnavailable, "\(reached) \(reached.quota.remedy).", retryAfter: Self.quotaRetry)
        case let error as StorageError:
            context.logger.log(
                level: .error, "the database refused a request of a program that sends listens",
                metadata: ["error": "\(error)"], throttle: logThrottle)
            return ListenBrainzError(.serviceUnavailable, error.publicDescription, retryAfter: 5)
        default:
            context.logger.error("a request of a program that sends listens failed", metadata: ["error": "\(error)"])
            return ListenBrainzError(.internalServerError, "An unknown error occured.")
        }
    }

    private func answer(
        _ status: HTTPResponse.Status, _ bytes: [UInt8], _ methods: [HTTPRequest.Method],
        rateStatus: ListenRate.Status?, retryAfter: Int? = nil
    ) -> Response {
        let rateStatus = rateStatus ?? rate.untouched
        var headers: HTTPFields = [
            .accessControlAllowOrigin: "*", .accessControlAllowHeaders: "Authorization, Content-Type",
            .accessControlAllowMethods: (methods.isEmpty ? [.get, .post, .options] : methods)
                .map(\.rawValue).joined(separator: ", "),
            .accessControlMaxAge: "21600",
        ]
        headers[.listenRateLimit] = String(rate.limit)
        headers[.listenRateRemaining] = String(max(0, rateStatus.remaining))
        headers[.listenRateResetIn] = String(rateStatus.resetIn)
        headers[.listenRateReset] = String(rateStatus.reset)
        headers[.retryAfter] = retryAfter.map(String.init)
        return .json(status, bytes, headers: headers)
    }
}

extension ListenBrainzError {
    fileprivate var json: [UInt8] {
        JSONWriter.object { json in
            json.member("code", status.code)
            json.member("error", text)
        }
    }
}

extension HTTPField.Name {
    fileprivate static let listenRateLimit = HTTPField.Name("X-RateLimit-Limit")!
    fileprivate static let listenRateRemaining = HTTPField.Name("X-RateLimit-Remaining")!
    fileprivate static let listenRateResetIn = HTTPField.Name("X-RateLimit-Reset-In")!
    fileprivate static let listenRateReset = HTTPField.Name("X-RateLimit-Reset")!
}
