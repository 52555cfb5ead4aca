import Logging
import NIOCore
import Telemetry

/// Closes the connection of a client that sends its request or reads its response too slowly.
///
/// It is before the HTTP codec and sees bytes. ``ExchangeHandler``, after the codec, sees requests and responses and
/// reports them to the same ``clock``.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    let limits: ConnectionLimits
    var clock: ConnectionDeadlines
    /// Whether the current or last request is a `HEAD` request, judging by the bytes received so far.
    var isHead = false
    /// The first bytes of that request.
    private var beginning: [UInt8] = []
    /// The only response of a connection that is not served.
    private let refusal: Problem?
    private let counters: CutCounters
    private let logger: Logger
    private var context: ChannelHandlerContext?
    private var timer: (task: Scheduled<Void>, deadline: NIODeadline)?
    private var bytesWritten = 0

    /// - Parameter refusal: sent at once, instead of any other response; `nil` to serve the connection.
    init(limits: ConnectionLimits, refusal: Problem? = nil, counters: CutCounters, logger: Logger) {
        clock = ConnectionDeadlines(limits: limits, openedAt: .now())
        self.limits = limits
        self.refusal = refusal
        self.counters = counters
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func channelActive(context: ChannelHandlerContext) {
        if let refusal { refuse(with: refusal) } else { check() }
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.task.cancel()
        (timer, self.context) = (nil, nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        let bytes = unwrapInboundIn(data)
        look(at: bytes)
        clock.receivedBytes(bytes.readableBytes, at: .now())
        context.fireChannelRead(data)
    }

    /// Reads the method of a request whose header may never be complete, or never valid, since its refusal depends on
    /// it.
    private func look(at bytes: ByteBuffer) {
        guard !clock.isReadingBody, beginning.count < Self.headMethod.count else { return }
        let isLineBreak: (UInt8) -> Bool = { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        let rest = beginning.isEmpty ? bytes.readableBytesView.drop(while: isLineBreak) : bytes.readableBytesView
        beginning += rest.prefix(Self.headMethod.count - beginning.count)
        isHead = beginning == Self.headMethod
    }

    private static let headMethod = Array("HEAD ".utf8)

    /// The last request has been received; the next one begins.
    func readEnd() {
        clock.readEnd()
        (isHead, beginning) = (false, [])
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
        // Usually the kernel has accepted all of it by now, and no timer is needed.
        if bytesWaiting > 0 { check() }
    }

    /// Sends a response past the codec, and closes the connection.
    func refuse(with problem: Problem) {
        guard let context else { return }
        let response = problem.lastResponse(allocator: context.channel.allocator, hasBody: !isHead)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(response))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    private var bytesWaiting: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Closes the connection if a deadline has passed. Otherwise sets the timer, unless it fires early enough already.
    func check() {
        guard let context, context.channel.isActive else { return }
        let now = NIODeadline.now()
        let waiting = bytesWaiting
        clock.sent(waiting: waiting, taken: bytesWritten - waiting, at: now)
        switch clock.verdict(at: now) {
        case .wait(nil):
            break
        case .wait(let deadline?):
            // A timer that fires too early checks again, so most requests set none.
            if let timer, timer.deadline <= deadline { return }
            timer?.task.cancel()
            let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
                self?.timer = nil
                self?.check()
            }
            timer = (task, deadline)
        case .cut(let overrun, let isAnswered):
            counters.count(overrun)
            logger.debug("closing the connection of a slow client", metadata: ["deadline": "\(overrun)"])
            if isAnswered { return refuse(with: .tooSlow(overrun)) }
            context.close(promise: nil)
        }
    }
}

/// Counts connections that were closed because their clients were too slow.
struct CutCounters: Sendable {
    private let counters: [ConnectionDeadlines.Overrun: Counter]

    init(metrics: MetricRegistry) {
        // `keepAlive` is not counted: an idle connection that times out is not a problem.
        counters = Dictionary(
            uniqueKeysWithValues: [.header, .body, .write].map {
                ($0, metrics.counter(.httpConnectionsCut, [$0.rawValue]))
            })
    }

    func count(_ overrun: ConnectionDeadlines.Overrun) {
        counters[overrun]?.add()
    }
}
