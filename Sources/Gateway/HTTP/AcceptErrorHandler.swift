import Glibc
import Jobs
import Logging
import NIOCore
import Platform
import Synchronization
import Telemetry

/// Keeps the server listening when it has no file descriptor or memory left to accept a connection.
///
/// Hummingbird ends the server on any error of the listening socket. SwiftNIO would try again at once and forever,
/// since the connection is still waiting to be accepted. This handler stops accepting for ``pause``, and meanwhile
/// frees spare descriptors for the rest of the process, such as the database.
final class AcceptErrorHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = Channel

    /// How long nothing is accepted after such an error.
    static let pause = TimeAmount.milliseconds(500)
    /// How many descriptors the rest of the process gets meanwhile.
    private static let spareCount = 16

    private let spares: Mutex<DescriptorReserve>
    private let logger: Logger
    private let throttle = LogThrottle(limit: 1, per: .seconds(30))

    init(logger: Logger) {
        self.logger = logger
        var spares = DescriptorReserve(count: Self.spareCount)
        _ = spares.acquire()
        self.spares = Mutex(spares)
    }

    deinit {
        spares.withLock { $0.free() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError,
            [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED].contains(error.errnoCode)
        else { return context.fireErrorCaught(error) }
        // The client left before it was accepted, which is not a problem of the server.
        if error.errnoCode == ECONNABORTED { return }
        logger.log(
            level: .error, "new connections cannot be accepted and have to wait",
            metadata: [
                "error": "\(String(cString: strerror(error.errnoCode)))",
                "remedy": "raise LimitNOFILE in the unit (or ulimit -n); if it is high, find what opens so many files",
            ], throttle: throttle)
        spares.withLock { $0.free() }
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenSuccess { self.resumeLater(channel) }
    }

    /// Accepts connections again as soon as the spare descriptors can be reclaimed.
    private func resumeLater(_ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: Self.pause) { [self] in
            guard channel.isActive else { return }
            if spares.withLock({ $0.acquire() }) {
                _ = channel.setOption(.autoRead, value: true)
            } else {
                resumeLater(channel)
            }
        }
    }
}
