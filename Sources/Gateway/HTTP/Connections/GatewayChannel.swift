import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Telemetry

/// Hummingbird's HTTP/1 channel, with limits on the size of headers and on slow clients.
struct GatewayChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let limits: ConnectionLimits
    /// `nil` for no limit of the connections of one address.
    let shares: ConnectionShares?
    let counters: CutCounters

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let isWithinShare = shares?.open(channel) ?? true
            let connection = ConnectionGuard(
                limits: limits, refusal: isWithinShare ? nil : .tooManyConnections, counters: counters, logger: logger)
            try pipeline.addHandler(connection)
            var decoding = NIOHTTPDecoderLimitConfiguration()
            decoding.maxHeaderFieldSize = limits.maximumHeaderBytes
            decoding.maxHeaderListSize = limits.maximumHeaderBytes
            decoding.maxHeaderFieldCount = ConnectionLimits.maximumHeaderFields
            try pipeline.configureHTTPServerPipeline(
                // The channel below handles one request at a time.
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoding)
            try pipeline.addHandler(ExchangeHandler(connection: connection))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}

extension HTTPServerBuilder {
    static func gateway(
        limits: ConnectionLimits, shares: ConnectionShares?, metrics: MetricRegistry
    ) -> HTTPServerBuilder {
        let counters = CutCounters(metrics: metrics)
        return HTTPServerBuilder { responder in
            GatewayChannel(responder: responder, limits: limits, shares: shares, counters: counters)
        }
    }
}
