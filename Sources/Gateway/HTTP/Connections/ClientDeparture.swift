import NIOCore

/// Reports that a client closed its connection, or its sending side, so that nobody reads an event stream any more.
///
/// A write would fail too, but an idle stream writes only every 15 seconds.
final class ClientDeparture: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let onDeparture: @Sendable () -> Void

    private init(onDeparture: @escaping @Sendable () -> Void) {
        self.onDeparture = onDeparture
    }

    /// Calls `handler` when the client closes the connection, at once if it has; possibly more than once.
    static func watch(_ channel: any Channel, _ handler: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute {
            guard channel.isActive else { return handler() }
            do {
                // Before the codec, which holds back the end of input while it waits for the rest of a request.
                try channel.pipeline.syncOperations.addHandler(
                    ClientDeparture(onDeparture: handler), position: .first)
            } catch {
                handler()
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { onDeparture() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        onDeparture()
        context.fireChannelInactive()
    }
}
