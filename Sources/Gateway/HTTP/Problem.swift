import HTTPTypes
import Hummingbird

/// An error for people and programs: RFC 9457, with a stable `code`.
struct Problem: Error, HTTPResponseError, Sendable {
    var status: HTTPResponse.Status
    var code: ProblemCode
    var title: String
    /// What happened and what to do, for people.
    var detail: String
    /// The path of the invalid field, such as `$.jobs[3].priority`, or the name of a parameter.
    var field: String?
    /// How the problem can be resolved: the raw value of a `Recovery`.
    var recovery: String?
    /// Seconds after which a further attempt makes sense.
    var retryAfter: Int?
    /// The methods that the path supports, separated by commas.
    var allowed: String?
    /// The content codings that a body may have, for one that has another (RFC 9110, section 12.5.3).
    var acceptedEncoding: String?

    init(
        _ status: HTTPResponse.Status, code: ProblemCode, title: String, detail: String, field: String? = nil,
        retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
    }

    static func invalidRequest(code: ProblemCode, _ detail: String, field: String? = nil) -> Problem {
        Problem(
            code == .invalidJSON ? .badRequest : .unprocessableContent, code: code,
            title: "The request is not valid", detail: detail, field: field)
    }

    static func notFound(_ what: String) -> Problem {
        Problem(.notFound, code: .notFound, title: "Not found", detail: "You have no \(what) with this id.")
    }

    static func conflict(code: ProblemCode, _ detail: String) -> Problem {
        Problem(.conflict, code: code, title: "Not possible in this state", detail: detail)
    }

    static func methodNotAllowed(_ request: Request, allowed: String) -> Problem {
        var problem = Problem(
            .methodNotAllowed, code: .methodNotAllowed, title: "Method not allowed",
            detail: "\(request.uri.path.prefix(200)) does not support \(request.method); it supports \(allowed).")
        problem.allowed = allowed
        return problem
    }

    static let unauthorized = Problem(
        .unauthorized, code: .unauthorized, title: "Not signed in",
        detail: "Send a token as 'Authorization: Bearer …': 'backline user add NAME' prints one. "
            + "In a browser, open the link that 'backline open' prints.")

    static let tokenScope = Problem(
        .forbidden, code: .tokenScope, title: "The token is for another purpose",
        detail: "This token may only send and read listens under /1. Use a token without a scope here.")

    /// The body of the response, in JSON.
    var document: [UInt8] {
        JSONWriter.object { json in
            json.member("type", "about:blank")
            json.member("title", title)
            json.member("status", status.code)
            json.member("code", code.rawValue)
            json.member("detail", detail)
            if let field { json.member("field", field) }
            if let recovery { json.member("recovery", recovery) }
        }
    }

    func response() -> Response {
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        if let allowed { headers[.allow] = allowed }
        if let acceptedEncoding { headers[.acceptEncoding] = acceptedEncoding }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        response()
    }
}
