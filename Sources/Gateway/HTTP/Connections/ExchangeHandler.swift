import HTTPTypes
import NIOCore
import NIOHTTP1

/// Tells ``ConnectionGuard`` which requests and answers pass, and refuses what is no request.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Exchange {
        var version: HTTPVersion
        /// Whether the connection ends with the answer.
        var isLast: Bool
    }

    private let connection: ConnectionGuard
    private var underWay = CircularBuffer<Exchange>()
    /// Nothing that comes after a mistake can be understood.
    private var isBroken = false
    /// Told when the requests before it have been answered.
    private var refusal: Problem?

    init(connection: ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let problem = Problem.refusing(head) { return refuse(problem) }
            connection.clock.readHead(at: .now())
            // Nobody here speaks another protocol, and the decoder takes what follows for one.
            let isLast = !head.isKeepAlive || head.headers.contains(name: "Upgrade") || head.method == .CONNECT
            underWay.append(Exchange(version: head.version, isLast: isLast))
        case .body:
            break
        case .end:
            connection.clock.readEnd()
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isBroken { return }
        if case HTTPParserError.invalidEOFState = error, !connection.clock.isReadingBody {
            // Who left within a header waits for no answer but those to earlier requests.
            isBroken = true
            if underWay.isEmpty { context.close(promise: nil) }
            return
        }
        guard let problem = Problem.refusing(error) else {
            context.fireErrorCaught(error)
            return
        }
        if connection.clock.isReadingBody {
            // Whoever reads the body is told, and answers.
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
        case .head(var head):
            guard head.status.code >= 200 else { break }
            if head.status.code == HTTPResponse.Status.clientClosedRequest.code {
                // It is for the log; whoever left within a request is owed no answer.
                promise?.fail(ChannelError.outputClosed)
                context.close(promise: nil)
                return
            }
            connection.clock.beganAnswer()
            // The encoder ends a body of unknown length as the client's version can understand.
            if let exchange = underWay.first {
                head.version = exchange.version
                if exchange.isLast || (isBroken && underWay.count == 1 && refusal == nil) {
                    head.headers.replaceOrAdd(name: "Connection", value: "close")
                }
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            return
        case .body:
            break
        case .end:
            context.write(data, promise: promise)
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
            // The client may still read, and closes its side when it has.
            context.close(mode: .output, promise: nil)
        } else if underWay.isEmpty, let refusal {
            context.flush()
            connection.refuse(with: refusal)
        }
        connection.check()
    }
}
