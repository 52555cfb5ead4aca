/// Friends with two devices each write to each other, while the gateway is killed and the clock jumps.
package struct MessageHistory: PlayableHistory {
    package static let option: String? = "--messages"
    /// The number of people, each of whom writes with all others.
    package static let people = 3

    package var seed: UInt64
    package var operations: [MessageOperation]

    package init(seed: UInt64, operations: [MessageOperation]) {
        (self.seed, self.operations) = (seed, operations)
    }

    package var settings: String { "\(Self.people) friends with two devices each" }

    package func play() async throws -> Verdict {
        let record = try await MessageHistoryRun.record(self)
        return Verdict(violations: record.violations, summary: record.summary)
    }
}

/// A message that somebody sends. Its number is unique in the history, and names the text and the client's id.
package struct SentText: Codable, Sendable, Hashable {
    package let from: Int
    package let to: Int
    package let number: Int

    /// The thread that it is in.
    var pair: Set<Int> { [from, to] }
    var text: String { "Text \(number)" }

    var clientID: String {
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }
}

/// One step of a history of messages.
///
/// A step does nothing if what it names is missing, since a shrunk history lacks steps.
package enum MessageOperation: Codable, Sendable, Equatable {
    /// Somebody writes, and waits a short time for the answer.
    case send(SentText)
    /// Both devices send the same message at once, as after a lost answer.
    case sendOnBothDevices(SentText)
    /// Messages of different threads at once. The gateway may be killed at the first answer.
    case burst([SentText], kills: Bool)
    /// Whoever has sent the message with this number deletes it.
    case delete(number: Int)
    /// The device that is mostly offline reads what has changed.
    case wake(Int)
    /// The connection of the device with an event stream breaks.
    case disconnect(Int)
    case kill
    case start
    /// The wall clock of the gateway is ahead by so many days from now on.
    case setClock(daysAhead: Int)
    /// Waits for everything under way, and compares what people and devices see with what was sent.
    case check
    case pause(milliseconds: Int)
}

extension MessageOperation: CustomStringConvertible {
    package var description: String {
        func text(_ one: SentText) -> String { "\(one.from) writes \(one.number) to \(one.to)" }
        return switch self {
        case .send(let one): text(one)
        case .sendOnBothDevices(let one): "on both devices at once: " + text(one)
        case .burst(let some, let kills):
            "at once" + (kills ? ", and kill the gateway at the first answer: " : ": ")
                + some.map(text).joined(separator: "; ")
        case .delete(let number): "the message \(number) is deleted"
        case .wake(let person): "the offline device of \(person) reads the changes"
        case .disconnect(let person): "the event stream of \(person) breaks"
        case .kill: "kill -9 the gateway"
        case .start: "start the gateway"
        case .setClock(let days): "the clock is \(days) days ahead"
        case .check: "compare what everybody sees"
        case .pause(let milliseconds): "wait \(milliseconds) ms"
        }
    }
}

/// The observations of one history of messages.
struct MessageRecord: Sendable {
    var violations: [Violation] = []
    var sent = 0
    var lostAnswers = 0
    var changes = 0
    var checks = 0

    /// Adds a violation once.
    mutating func note(_ rule: Violation.Rule, _ text: String) {
        let violation = Violation(rule, text)
        if !violations.contains(violation) { violations.append(violation) }
    }

    var summary: String {
        "\(sent) messages, \(lostAnswers) answers lost, \(changes) changes on devices, \(checks) comparisons"
    }
}
