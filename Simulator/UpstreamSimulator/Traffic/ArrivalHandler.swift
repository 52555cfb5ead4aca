import HTTPTypes
import NIOCore
import NIOHTTPCompression
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The first handler of a connection: records each request at the moment when its head has been read.
///
/// All later steps (routing, tasks) wait for a thread, and a limit of arrivals per second must not depend on that. The
/// number of the arrival is passed to the route in a special header field, which replaces one sent by a client.
final class ArrivalHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Sent down the pipeline before a response: the connection ends once that response is written, without any header
    /// announcing it.
    struct CloseAfterResponse: Sendable {}

    // A literal made of letters and hyphens is always a valid field name.
    static let field = HTTPField.Name("upstream-sim-arrival")!

    private let upstream: TicketmasterSimulator
    private var open = 0
    private var closesAfterResponse = false

    init(upstream: TicketmasterSimulator) {
        self.upstream = upstream
    }

    /// Adds gzip if the client accepts it; the compressor works on the parts below the HTTP types codec.
    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
        try? pipeline.addHandler(HTTPResponseCompressor(), position: .before(codec))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            context.fireChannelRead(data)
            return
        }
        head.headerFields[Self.field] = nil
        if let path = head.path, upstream.owns(path: path) {
            head.headerFields[Self.field] = String(upstream.arrive(path).id)
            open += 1
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        requestEnded()
        guard closesAfterResponse else {
            context.write(data, promise: promise)
            return
        }
        let written = promise ?? context.eventLoop.makePromise()
        let channel = context.channel
        // Closing at once would discard what the socket has not accepted yet.
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(data, promise: written)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is CloseAfterResponse else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        closesAfterResponse = true
        promise?.succeed()
    }

    /// A client that gives up closes its side while the answer is still pending here.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { allEnded() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        allEnded()
        context.fireChannelInactive()
    }

    private func allEnded() {
        while open > 0 { requestEnded() }
    }

    private func requestEnded() {
        guard open > 0 else { return }
        open -= 1
        upstream.requestEnded()
    }
}

@available(*, unavailable)
extension ArrivalHandler: Sendable {}
