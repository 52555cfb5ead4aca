import Glibc
import Jobs
import Logging
import NIOCore
import Telemetry

/// Keeps the server listening when a connection cannot be accepted for want of file descriptors or memory.
///
/// Hummingbird takes any error of the listening socket for its end. SwiftNIO goes on, but since the connection still
/// waits to be accepted, it would try again without a pause. Meanwhile the spare descriptors are there for the
/// database.
final class AcceptErrorHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = Channel

    /// For how long nothing is accepted after such an error.
    static let pause = TimeAmount.milliseconds(500)

    private let spares = SpareFiles()
    private let logger: Logger
    private let throttle = LogThrottle(limit: 1, per: .seconds(30))

    init(logger: Logger) {
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError,
            [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED].contains(error.errnoCode)
        else { return context.fireErrorCaught(error) }
        // The client gave up before its turn came: nothing is wrong here.
        if error.errnoCode == ECONNABORTED { return }
        logger.log(
            level: .error, "connections cannot be accepted; they wait",
            metadata: [
                "error": "\(String(cString: strerror(error.errnoCode)))",
                "remedy": "raise LimitNOFILE of the unit (or ulimit -n) or, if that is high, find what uses so much",
            ], throttle: throttle)
        spares.giveBack()
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenSuccess { self.resumeLater(channel) }
    }

    /// Accepts again when so many descriptors are free that the spare ones can be held beside.
    private func resumeLater(_ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: Self.pause) { [self] in
            guard channel.isActive else { return }
            if spares.take() {
                _ = channel.setOption(.autoRead, value: true)
            } else {
                resumeLater(channel)
            }
        }
    }
}
