import Logging
import NIOCore
import Telemetry

/// Ends a connection whose client is too slow: to say what it wants, or to take what it asked for.
///
/// It stands before the HTTP codec, where every byte passes. What the bytes mean it learns from
/// ``ExchangeHandler``, which stands behind the codec and shares its clock.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    var clock: ConnectionClock
    private let counters: CutCounters
    private let logger: Logger
    private var context: ChannelHandlerContext?
    private var timer: (task: Scheduled<Void>, deadline: NIODeadline)?
    private var bytesWritten = 0

    init(limits: ConnectionLimits, counters: CutCounters, logger: Logger) {
        clock = ConnectionClock(limits: limits, openedAt: .now())
        self.counters = counters
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func channelActive(context: ChannelHandlerContext) {
        check()
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.task.cancel()
        (timer, self.context) = (nil, nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        clock.receivedBytes(at: .now())
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        check()
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        bytesWritten += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        // Mostly the system has taken all of it by now, and no clock needs to run.
        if bytesWaiting > 0 { check() }
    }

    /// Sends an answer past the codec, and ends the connection.
    func refuse(with problem: Problem) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(problem.lastResponse(allocator: context.channel.allocator))))
            .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    private var bytesWaiting: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Looks at the clock, and sets the timer if it is due earlier than it would ring.
    func check() {
        guard let context, context.channel.isActive else { return }
        let now = NIODeadline.now()
        let waiting = bytesWaiting
        clock.sent(waiting: waiting, taken: bytesWritten - waiting, at: now)
        switch clock.verdict(at: now) {
        case .wait(nil):
            break
        case .wait(let deadline?):
            // One that rings too early looks again; most requests so set none.
            if let timer, timer.deadline <= deadline { return }
            timer?.task.cancel()
            let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
                self?.timer = nil
                self?.check()
            }
            timer = (task, deadline)
        case .cut(let overrun, let isAnswered):
            counters.count(overrun)
            logger.debug("cutting off a slow client", metadata: ["deadline": "\(overrun)"])
            if isAnswered { return refuse(with: .tooSlow(overrun)) }
            context.close(promise: nil)
        }
    }
}

/// Counts connections that were ended for their clients' slowness.
struct CutCounters: Sendable {
    private let counters: [ConnectionClock.Overrun: Counter]

    init(metrics: MetricRegistry) {
        // A kept connection that nobody uses any more has come to its proper end.
        counters = Dictionary(
            uniqueKeysWithValues: [.header, .body, .write].map {
                ($0, metrics.counter(.httpConnectionsCut, [$0.rawValue]))
            })
    }

    func count(_ overrun: ConnectionClock.Overrun) {
        counters[overrun]?.add()
    }
}
