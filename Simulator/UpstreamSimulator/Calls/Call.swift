import HTTPTypes

/// A request to an upstream, complete with its body.
struct Call: Sendable {
    var method: HTTPRequest.Method
    /// The target, whose path starts with the upstream's own folder.
    var target: RequestTarget
    var headers: HTTPFields
    /// The body as text, in which bytes that are not UTF-8 are replaced.
    var body: String
    var bytes: [UInt8]

    /// The address at which the simulator was reached, such as `http://127.0.0.1:4711`.
    var origin: String

    /// The text after `Bearer` in `Authorization`; `nil` without it or with another scheme.
    var bearerToken: String? {
        guard let value = headers[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
        return value.dropFirst("bearer ".count).trimmingPrefix(while: \.isWhitespace).description
    }

    /// The fields of a body with the content type of a form; `nil` for other content types.
    var form: RequestTarget? {
        let type = headers[.contentType]?.split(separator: ";").first?.lowercased()
        guard type == "application/x-www-form-urlencoded" else { return nil }
        return RequestTarget("?" + body)
    }
}
