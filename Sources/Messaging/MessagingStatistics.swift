import Synchronization
import Telemetry

/// The counts of a router or dealer since it was made.
package struct MessagingStatistics: Sendable, Equatable {
    /// Messages handed to libzmq, and the bytes of their frames.
    package var messagesSent = 0
    package var bytesSent = 0
    /// Well-formed messages received from libzmq, and the bytes of their frames.
    package var messagesReceived = 0
    package var bytesReceived = 0
    /// Messages that were not sent (``UndeliverableReason``), including those after closing.
    package var undeliverable = 0
    /// Received messages without exactly one payload frame.
    package var malformed = 0
    /// How often a dealer replaced its connection (``MessageDealer/reconnect()``).
    package var reconnections = 0
    /// Messages that ``MessageFaults`` dropped or duplicated.
    package var droppedByFault = 0
    package var duplicatedByFault = 0
    /// Refused connections by reason; none without CURVE.
    package var refused: [Refusal.Reason: Int] = [:]
    /// How often the messaging thread returned from waiting; constant while nothing happens.
    package var wakeUps = 0
}

extension MessagingStatistics {
    package func collect(into snapshot: inout MetricSnapshot) {
        snapshot.set(.messagesSent, to: messagesSent)
        snapshot.set(.messagesReceived, to: messagesReceived)
        snapshot.set(.messageBytesSent, to: bytesSent)
        snapshot.set(.messageBytesReceived, to: bytesReceived)
        snapshot.set(.messagesDropped, ["undeliverable"], to: undeliverable)
        snapshot.set(.messagesDropped, ["malformed"], to: malformed)
        for (reason, count) in refused { snapshot.set(.messagingRefused, [reason.rawValue], to: count) }
        if droppedByFault > 0 { snapshot.set(.messagesDropped, ["fault"], to: droppedByFault) }
    }
}

/// The counters behind ``MessagingStatistics``, written by the messaging thread and read by any thread.
final class MessagingCounters: Sendable {
    let messagesSent = Atomic(0)
    let bytesSent = Atomic(0)
    let messagesReceived = Atomic(0)
    let bytesReceived = Atomic(0)
    let undeliverable = Atomic(0)
    let malformed = Atomic(0)
    let reconnections = Atomic(0)
    let droppedByFault = Atomic(0)
    let duplicatedByFault = Atomic(0)
    let wakeUps = Atomic(0)
    private let refusals = Mutex<[Refusal.Reason: Int]>([:])

    /// Makes every reason appear in the statistics, starting at 0.
    func expectRefusals() {
        refusals.withLock { refusals in
            for reason in Refusal.Reason.allCases where reason != .protocolVersion { refusals[reason] = 0 }
        }
    }

    func refused(_ reason: Refusal.Reason) {
        refusals.withLock { $0[reason, default: 0] += 1 }
    }

    /// Each number is exact; the numbers of one snapshot may differ by some messages.
    var snapshot: MessagingStatistics {
        MessagingStatistics(
            messagesSent: messagesSent.load(ordering: .relaxed),
            bytesSent: bytesSent.load(ordering: .relaxed),
            messagesReceived: messagesReceived.load(ordering: .relaxed),
            bytesReceived: bytesReceived.load(ordering: .relaxed),
            undeliverable: undeliverable.load(ordering: .relaxed),
            malformed: malformed.load(ordering: .relaxed),
            reconnections: reconnections.load(ordering: .relaxed),
            droppedByFault: droppedByFault.load(ordering: .relaxed),
            duplicatedByFault: duplicatedByFault.load(ordering: .relaxed), refused: refusals.withLock { $0 },
            wakeUps: wakeUps.load(ordering: .relaxed))
    }
}

extension Atomic<Int> {
    func count(_ amount: Int = 1) {
        wrappingAdd(amount, ordering: .relaxed)
    }
}
