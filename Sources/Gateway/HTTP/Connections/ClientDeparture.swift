import NIOCore

/// Reports that a client closed its connection, or its sending side, after which nobody reads the response.
///
/// A write would fail too, but an idle stream writes only every 15 seconds.
package final class ClientDeparture: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private let onDeparture: @Sendable () -> Void

    private init(onDeparture: @escaping @Sendable () -> Void) {
        self.onDeparture = onDeparture
    }

    /// Calls `handler` when the client closes the connection, or at once if it already has; possibly more than once.
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

    /// Runs `body`, and cancels it when the client closes the connection meanwhile.
    package static func cancelling<Value: Sendable>(
        when channel: any Channel, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let added = NIOLoopBoundBox<ClientDeparture?>.makeBoxSendingValue(nil, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            guard channel.isActive else { return task.cancel() }
            let departure = ClientDeparture { task.cancel() }
            // Before the codec, as above. A connection serves many requests, so the handler is removed after this one.
            if (try? channel.pipeline.syncOperations.addHandler(departure, position: .first)) != nil {
                added.value = departure
            }
        }
        defer {
            channel.eventLoop.execute {
                if let departure = added.value {
                    channel.pipeline.syncOperations.removeHandler(departure, promise: nil)
                }
            }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { onDeparture() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        onDeparture()
        context.fireChannelInactive()
    }
}
