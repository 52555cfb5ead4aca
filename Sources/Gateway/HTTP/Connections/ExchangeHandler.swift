import HTTPTypes
import NIOCore
import NIOHTTP1

/// Reports requests and responses to ``ConnectionGuard``, and refuses input that is not valid HTTP.
///
/// It also enforces the rules of HTTP that concern a request and its response together: a response to `HEAD` has no
/// body, whatever created it, and a client that expects `100 Continue` before its body gets that once
/// (``ContinueMiddleware``).
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Exchange {
        var version: HTTPVersion
        /// Whether the connection ends with the response.
        var isLast: Bool
        /// Whether the response has no body (RFC 9110, section 9.3.2).
        var isHead: Bool
        /// Whether the client is waiting for `100 Continue`. Until then it sends nothing of the body.
        var awaitsContinue: Bool
    }

    private let connection: ConnectionGuard
    private var underWay = CircularBuffer<Exchange>()
    /// Input after a syntax error cannot be parsed.
    private var isBroken = false
    /// The refusal to send once the earlier requests have been answered.
    private var refusal: Problem?

    init(connection: ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            connection.isHead = head.method == .HEAD
            if let problem = Problem.refusing(head) { return refuse(problem) }
            connection.clock.readHead(at: .now(), isFile: head.hasFile)
            // The gateway upgrades to no other protocol, and the decoder parses no HTTP after such a request.
            let isLast = !head.isKeepAlive || head.headers.contains(name: "Upgrade") || head.method == .CONNECT
            underWay.append(
                Exchange(
                    version: head.version, isLast: isLast, isHead: connection.isHead,
                    awaitsContinue: head.expectsContinue))
        case .body:
            sentBody()
        case .end:
            sentBody()
            connection.readEnd()
        }
        context.fireChannelRead(data)
    }

    /// Records that a client sent its body without `100 Continue`, and so no longer waits for it.
    private func sentBody() {
        guard !underWay.isEmpty else { return }
        underWay[underWay.index(before: underWay.endIndex)].awaitsContinue = false
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isBroken { return }
        if case HTTPParserError.invalidEOFState = error, !connection.clock.isReadingBody {
            // A client that left within a header gets only the responses to earlier requests.
            isBroken = true
            if underWay.isEmpty { context.close(promise: nil) }
            return
        }
        guard let problem = Problem.refusing(error, limits: connection.limits) else {
            context.fireErrorCaught(error)
            return
        }
        if connection.clock.isReadingBody {
            // The route that reads the body gets the error, and answers.
            isBroken = true
            context.fireErrorCaught(error)
        } else {
            refuse(problem)
        }
    }

    private func refuse(_ problem: Problem) {
        isBroken = true
        if underWay.isEmpty {
            connection.refuse(with: problem)
        } else {
            refusal = problem
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status == .continue:
            guard underWay.first?.awaitsContinue == true else {
                promise?.succeed()
                return
            }
            underWay[underWay.startIndex].awaitsContinue = false
        case .head(var head):
            guard head.status.code >= 200 else { break }
            if head.status.code == HTTPResponse.Status.clientClosedRequest.code {
                // This status is only for the log: the client has left.
                promise?.fail(ChannelError.outputClosed)
                context.close(promise: nil)
                return
            }
            connection.clock.beganAnswer()
            // The encoder frames a body of unknown length by the response's version, so it must be the client's.
            if let exchange = underWay.first {
                head.version = exchange.version
                // It is unknown whether the client will still send the body that it announced.
                if exchange.awaitsContinue { underWay[underWay.startIndex].isLast = true }
                if underWay[underWay.startIndex].isLast || (isBroken && underWay.count == 1 && refusal == nil) {
                    head.headers.replaceOrAdd(name: "Connection", value: "close")
                }
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            return
        case .body:
            if underWay.first?.isHead == true {
                promise?.succeed()
                return
            }
        case .end:
            if underWay.first?.isHead == true {
                // Without this, the encoder would end the body that the headers announce.
                promise?.succeed()
            } else {
                context.write(data, promise: promise)
            }
            endedAnswer(context)
            return
        }
        context.write(data, promise: promise)
    }

    private func endedAnswer(_ context: ChannelHandlerContext) {
        let exchange = underWay.popFirst()
        connection.clock.endedAnswer(at: .now())
        if exchange?.isLast == true || (isBroken && underWay.isEmpty && refusal == nil) {
            connection.clock.closes(at: .now())
            context.flush()
            // The client may still be reading, and closes its own side afterwards.
            context.close(mode: .output, promise: nil)
        } else if underWay.isEmpty, let refusal {
            context.flush()
            connection.refuse(with: refusal)
        }
        connection.check()
    }
}

extension HTTPRequestHead {
    /// Whether the client waits for `100 Continue` (RFC 9110, section 10.1.1), which HTTP/1.0 does not have.
    fileprivate var expectsContinue: Bool {
        version.major == 1 && version.minor >= 1
            && headers[canonicalForm: "Expect"].contains { $0.lowercased() == "100-continue" }
    }
}

extension HTTPRequestHead {
    /// Whether the body is a file (``FileUpload``).
    fileprivate var hasFile: Bool {
        method == .POST && uri.hasPrefix(FileUpload.path) || method == .PUT && uri.hasPrefix(FileUpload.picturePath)
    }
}
