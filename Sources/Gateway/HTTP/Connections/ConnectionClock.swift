import NIOCore

/// Where a connection stands, and by when it must have come further.
///
/// A value without I/O: it is told what happens, and asked for the next deadline.
struct ConnectionClock {
    enum Overrun: String, CaseIterable {
        case header, body, keepAlive, write
    }

    enum Verdict: Equatable {
        /// Nothing is due before that; `nil` when nothing is due at all.
        case wait(until: NIODeadline?)
        /// - Parameter isAnswered: whether an answer can still be sent before the end.
        case cut(Overrun, isAnswered: Bool)
    }

    private let limits: ConnectionLimits

    /// Requests whose header was read and whose answer has not ended.
    private(set) var requestsUnderWay = 0
    /// Since when the head of the next request is awaited, from its first byte on or on a new connection.
    private var headSince: NIODeadline?
    private var hasPartOfHead = false
    private var idleSince: NIODeadline
    /// Since when the body of the last request is read.
    private var bodySince: NIODeadline?
    private var hasBegunAnswer = false
    /// Since when the connection should end by the client's doing.
    private var closingSince: NIODeadline?
    /// Since when none of what waits to be sent was taken, and how much had been taken in all by then.
    private var unsent: (since: NIODeadline, taken: Int)?

    init(limits: ConnectionLimits, openedAt now: NIODeadline) {
        self.limits = limits
        headSince = now
        idleSince = now
    }

    var isReadingBody: Bool { bodySince != nil }

    mutating func receivedBytes(at now: NIODeadline) {
        guard bodySince == nil else { return }
        hasPartOfHead = true
        if requestsUnderWay == 0, headSince == nil { headSince = now }
    }

    mutating func readHead(at now: NIODeadline) {
        requestsUnderWay += 1
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

    /// The answer said that the connection ends with it.
    mutating func closes(at now: NIODeadline) {
        closingSince = closingSince ?? now
    }

    /// - Parameters:
    ///   - waiting: bytes that the system has not taken yet.
    ///   - taken: bytes that it has taken, in all.
    mutating func sent(waiting: Int, taken: Int, at now: NIODeadline) {
        guard waiting > 0 else {
            unsent = nil
            return
        }
        if let unsent, unsent.taken == taken { return }
        unsent = (now, taken)
    }

    /// What is due at a time; call ``sent(waiting:taken:at:)`` before.
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
            deadlines.append((bodySince + TimeAmount(limits.body), .body))
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
