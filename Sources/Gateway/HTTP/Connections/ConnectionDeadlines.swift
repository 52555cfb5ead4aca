import Model
import NIOCore

/// The state of a connection and its deadlines.
///
/// It is a value without I/O: callers report each event, and it computes the next deadline.
struct ConnectionDeadlines {
    /// The deadline that a client missed.
    enum Overrun: String, CaseIterable {
        case header, body, keepAlive, write
    }

    enum Verdict: Equatable {
        /// The next deadline; `nil` when there is none.
        case wait(until: NIODeadline?)
        /// The connection is to be closed.
        ///
        /// - Parameter isAnswered: whether a response can be sent before that.
        case cut(Overrun, isAnswered: Bool)
    }

    /// The most seconds for a file, however long it is: a client can send bytes without end.
    private static let longestFile: Int64 = 86_400

    private let limits: ConnectionLimits

    /// Requests whose header was read and whose response has not ended.
    private(set) var requestsUnderWay = 0
    /// The start of the next request's header: its first byte, or the opening of a new connection.
    private var headSince: NIODeadline?
    private var hasPartOfHead = false
    private var idleSince: NIODeadline
    /// The start of the last request's body.
    private var bodySince: NIODeadline?
    /// The bytes that were read of it, for a file that is sent; `nil` for other bodies.
    private var fileBytes: Int?
    private var hasBegunAnswer = false
    /// When the gateway closed its side; the client is expected to close the other one.
    private var closingSince: NIODeadline?
    /// The time since which the client has accepted none of the waiting bytes, and the total until then.
    private var unsent: (since: NIODeadline, taken: Int)?

    init(limits: ConnectionLimits, openedAt now: NIODeadline) {
        self.limits = limits
        headSince = now
        idleSince = now
    }

    var isReadingBody: Bool { bodySince != nil }

    mutating func receivedBytes(_ count: Int, at now: NIODeadline) {
        guard bodySince == nil else {
            // Bytes that arrive once the answer has begun are skipped.
            if requestsUnderWay > 0, !hasBegunAnswer {
                fileBytes = fileBytes.map { $0.adding(count, atMost: .max) ?? .max }
            }
            return
        }
        hasPartOfHead = true
        if requestsUnderWay == 0, headSince == nil { headSince = now }
    }

    /// - Parameter isFile: whether the body is a file, which has more time the longer it is.
    mutating func readHead(at now: NIODeadline, isFile: Bool = false) {
        requestsUnderWay += 1
        fileBytes = isFile ? 0 : nil
        (headSince, hasPartOfHead) = (nil, false)
        bodySince = now
    }

    mutating func readEnd() {
        bodySince = nil
    }

    mutating func beganAnswer() {
        hasBegunAnswer = true
    }

    mutating func endedAnswer(at now: NIODeadline) {
        requestsUnderWay -= 1
        hasBegunAnswer = false
        guard requestsUnderWay == 0 else { return }
        idleSince = now
        headSince = hasPartOfHead ? now : nil
    }

    /// The last response was sent; the connection ends with it.
    mutating func closes(at now: NIODeadline) {
        closingSince = closingSince ?? now
    }

    /// - Parameters:
    ///   - waiting: bytes written but not yet accepted by the kernel.
    ///   - taken: all bytes that the kernel has accepted.
    mutating func sent(waiting: Int, taken: Int, at now: NIODeadline) {
        guard waiting > 0 else {
            unsent = nil
            return
        }
        if let unsent, unsent.taken == taken { return }
        unsent = (now, taken)
    }

    /// The deadline that has passed, or the next one. Call ``sent(waiting:taken:at:)`` first.
    func verdict(at now: NIODeadline) -> Verdict {
        var next: NIODeadline?
        for (deadline, overrun) in deadlines {
            guard deadline > now else {
                let isAnswered =
                    switch overrun {
                    case .header: hasPartOfHead && requestsUnderWay == 0
                    case .body: requestsUnderWay == 1 && !hasBegunAnswer
                    case .keepAlive, .write: false
                    }
                return .cut(overrun, isAnswered: isAnswered)
            }
            next = min(next ?? deadline, deadline)
        }
        return .wait(until: next)
    }

    private var deadlines: [(NIODeadline, Overrun)] {
        var deadlines: [(NIODeadline, Overrun)] = []
        if let unsent { deadlines.append((unsent.since + TimeAmount(limits.write), .write)) }
        if let bodySince {
            let further = fileBytes.map { min(Int64($0) / ConnectionLimits.fileBytesPerSecond, Self.longestFile) } ?? 0
            deadlines.append((bodySince + TimeAmount(limits.body) + .seconds(further), .body))
        } else if requestsUnderWay == 0, closingSince == nil {
            if let headSince {
                deadlines.append((headSince + TimeAmount(limits.header), .header))
            } else {
                deadlines.append((idleSince + TimeAmount(limits.keepAlive), .keepAlive))
            }
        }
        if let closingSince { deadlines.append((closingSince + TimeAmount(limits.header), .keepAlive)) }
        return deadlines
    }
}
