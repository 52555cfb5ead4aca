import NIOCore

/// Tells when a client closes its connection, or its side of it: nobody reads a stream any more then.
///
/// A write would find out as well, and a stream on which nothing happens makes one only now and then.
final class ClientDeparture: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let onDeparture: @Sendable () -> Void

    private init(onDeparture: @escaping @Sendable () -> Void) {
        self.onDeparture = onDeparture
    }

    /// Calls `handler` when the client of a connection goes, at once when it has gone; perhaps more than once.
    static func watch(_ channel: any Channel, _ handler: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute {
            guard channel.isActive else { return handler() }
            do {
                // Before the codec, which keeps back what it takes for the rest of a request.
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
