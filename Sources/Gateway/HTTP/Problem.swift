import HTTPTypes
import Hummingbird
import Model

/// An error for people and programs: RFC 9457, with a stable `code`.
package struct Problem: Error, HTTPResponseError, Sendable {
    package var status: HTTPResponse.Status
    package var code: ProblemCode
    package var title: String
    /// What happened and what to do, for people.
    package var detail: String
    /// The path of the invalid field, such as `$.jobs[3].priority`, or the name of a parameter.
    package var field: String?
    /// How the problem can be resolved: the raw value of a `Recovery`.
    package var recovery: String?
    /// Seconds after which a further attempt makes sense.
    package var retryAfter: Int?
    /// The limit that was reached: its name, and when it allows the request again.
    package var limit: (name: String, until: Timestamp)?
    /// The methods that the path supports, separated by commas.
    var allowed: String?
    /// The content codings that a body may have, for one that has another (RFC 9110, section 12.5.3).
    var acceptedEncoding: String?

    package init(
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

    package static func invalidRequest(code: ProblemCode, _ detail: String, field: String? = nil) -> Problem {
        Problem(
            code == .invalidJSON ? .badRequest : .unprocessableContent, code: code,
            title: "The request is not valid", detail: detail, field: field)
    }

    package static func notFound(_ what: String) -> Problem {
        Problem(.notFound, code: .notFound, title: "Not found", detail: "You have no \(what) with this id.")
    }

    package static func conflict(code: ProblemCode, _ detail: String) -> Problem {
        Problem(.conflict, code: code, title: "Not possible in this state", detail: detail)
    }

    /// The problem, with how it can be resolved.
    package static func recovering(_ recovery: Recovery, _ problem: Problem) -> Problem {
        var problem = problem
        problem.recovery = recovery.rawValue
        return problem
    }

    static func methodNotAllowed(_ request: Request, allowed: String) -> Problem {
        var problem = Problem(
            .methodNotAllowed, code: .methodNotAllowed, title: "Method not allowed",
            detail: "\(request.uri.path.prefix(200)) does not support \(request.method); it supports \(allowed).")
        problem.allowed = allowed
        return problem
    }

    package static let unauthorized = Problem(
        .unauthorized, code: .unauthorized, title: "Not signed in",
        detail: "Send a token as 'Authorization: Bearer …': 'backline user add NAME' prints one. "
            + "In a browser, open the link that 'backline open' prints.")

    static let tokenScope = Problem(
        .forbidden, code: .tokenScope, title: "The token is for another purpose",
        detail: "This token may only send and read listens under /1. Use a token without a scope here.")

    /// The body of the response, in JSON.
    package var document: [UInt8] {
        JSONWriter.object { json in
            json.member("type", "about:blank")
            json.member("title", title)
            json.member("status", status.code)
            json.member("code", code.rawValue)
            json.member("detail", detail)
            if let field { json.member("field", field) }
            if let recovery { json.member("recovery", recovery) }
            if let limit {
                json.member("limit", limit.name)
                json.member("until", limit.until)
            }
        }
    }

    package func response() -> Response {
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        if let allowed { headers[.allow] = allowed }
        if let acceptedEncoding { headers[.acceptEncoding] = acceptedEncoding }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        response()
    }
}
