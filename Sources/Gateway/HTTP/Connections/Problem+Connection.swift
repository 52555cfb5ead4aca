import HTTPTypes
import NIOCore
import NIOHTTP1

/// Problems found before a request reaches a route.
extension Problem {
    static func tooSlow(_ overrun: ConnectionDeadlines.Overrun) -> Problem {
        Problem(
            .requestTimeout, code: .requestTimeout, title: "The request arrived too slowly",
            detail: overrun == .body
                ? "The body did not arrive in time (http.bodyTimeoutSeconds). Send it faster, or in smaller requests."
                : "The header did not arrive in time (http.headerTimeoutSeconds). Send the whole request at once.")
    }

    /// The problem for an error of the HTTP parser; `nil` for other errors and for a client that left.
    ///
    /// - Parameter limits: those of the parser.
    static func refusing(_ error: any Error, limits: ConnectionLimits) -> Problem? {
        switch error {
        case HTTPParserError.invalidEOFState:
            nil
        case HTTPParserError.headerOverflow:
            Problem(
                .requestHeaderFieldsTooLarge, code: .headerTooLarge, title: "The header is too large",
                detail: "The request line and the header may have at most \(limits.maximumHeaderBytes) bytes together "
                    + "(http.maximumHeaderBytes), and \(ConnectionLimits.maximumHeaderFields) fields. Send fewer or "
                    + "shorter fields.")
        case let error as HTTPParserError:
            .invalidHTTP("The request does not follow RFC 9112: \(error).")
        default:
            nil
        }
    }

    /// The problem with a header that the decoder accepts although a server must refuse it (RFC 9112, sections 3 and
    /// 6.1).
    static func refusing(_ head: HTTPRequestHead) -> Problem? {
        guard head.uri.utf8.count <= ConnectionLimits.maximumTargetBytes else {
            return Problem(
                .uriTooLong, code: .targetTooLong, title: "The address is too long",
                detail: "A path and its query may have at most \(ConnectionLimits.maximumTargetBytes) bytes together. "
                    + "Send longer data in the body.")
        }
        let codings = head.headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
        guard codings.isEmpty || codings == ["chunked"] else {
            return .invalidHTTP("The only transfer coding allowed is chunked, and only once.")
        }
        let hosts = head.headers[canonicalForm: "Host"].count
        guard hosts == 1 || (hosts == 0 && head.version == .http1_0) else {
            return .invalidHTTP("A request needs exactly one Host field; this one has \(hosts).")
        }
        return nil
    }

    private static func invalidHTTP(_ detail: String) -> Problem {
        Problem(.badRequest, code: .invalidHTTP, title: "This is not an HTTP/1.1 request", detail: detail)
    }

    /// The bytes of a response after which the connection closes.
    ///
    /// - Parameter hasBody: `false` for a `HEAD` request.
    func lastResponse(allocator: ByteBufferAllocator, hasBody: Bool = true) -> ByteBuffer {
        let response = response()
        var buffer = allocator.buffer(capacity: 1_024)
        buffer.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for field in response.headers where field.name != .contentLength {
            buffer.writeString("\(field.name.rawName): \(field.value)\r\n")
        }
        let body = document
        buffer.writeString("X-Content-Type-Options: nosniff\r\nConnection: close\r\n")
        buffer.writeString("Content-Length: \(body.count)\r\n\r\n")
        if hasBody { buffer.writeBytes(body) }
        return buffer
    }
}
