import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue` (RFC 9110, section 10.1.1) when the body is first read. So a request that is refused
/// by its header, such as one whose `Content-Length` is too large, is answered before anything of its body is sent.
struct ContinueMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[values: .expect].contains(where: { $0.lowercased() == "100-continue" }) else {
            return try await next(request, context)
        }
        var request = request
        request.body = RequestBody(asyncSequence: ContinueBody(base: request.body, channel: context.channel))
        return try await next(request, context)
    }
}

/// A request's body that the client sends once it gets `100 Continue`.
private struct ContinueBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), channel: channel) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let channel: any Channel
        private var isAsked = false

        init(base: RequestBody.AsyncIterator, channel: any Channel) {
            (self.base, self.channel) = (base, channel)
        }

        mutating func next() async throws -> ByteBuffer? {
            if !isAsked {
                isAsked = true
                // ``ExchangeHandler`` leaves it out for a client that sends the body already.
                channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
            }
            return try await base.next()
        }
    }
}
