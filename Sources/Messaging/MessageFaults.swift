import Synchronization

/// A test hook that drops or duplicates messages, to prove that the job protocol recovers.
///
/// It works on the messaging thread, between the callers and libzmq, and can also be used in real processes
/// (``init(rules:types:)``).
package struct MessageFaults: Sendable {
    package enum Direction: Sendable {
        case outbound, inbound
    }

    package enum Delivery: Sendable {
        case deliver, drop, duplicate
    }

    private let decide: (@Sendable (Direction, [UInt8]) -> Delivery)?

    /// No faults, at no cost.
    package static let none = MessageFaults(decide: nil)

    /// - Parameter decide: called for every message, on the messaging thread; must be quick.
    package init(_ decide: @escaping @Sendable (Direction, [UInt8]) -> Delivery) {
        self.init(decide: decide)
    }

    private init(decide: (@Sendable (Direction, [UInt8]) -> Delivery)?) {
        self.decide = decide
    }

    func delivery(_ direction: Direction, _ frame: [UInt8]) -> Delivery {
        decide?(direction, frame) ?? .deliver
    }
}

extension MessageFaults {
    /// One rule, and the number of messages to which it still applies.
    private struct Rule {
        let type: UInt8
        let delivery: Delivery
        var remaining: Int
    }

    private final class RuleList: Sendable {
        private let rules: Mutex<[Rule]>

        init(_ rules: [Rule]) {
            self.rules = Mutex(rules)
        }

        func delivery(_ frame: [UInt8]) -> Delivery {
            guard let type = frame.first else { return .deliver }
            return rules.withLock { rules in
                guard let index = rules.firstIndex(where: { $0.type == type && $0.remaining > 0 }) else {
                    return .deliver
                }
                rules[index].remaining -= 1
                return rules[index].delivery
            }
        }
    }

    /// Parses comma-separated rules such as `drop:DONE:1,double:JOBS:2,drop:GOODBYE` for the messages that a process
    /// sends.
    ///
    /// Each rule names a fault, a message type, and the number of messages to which it applies (without a number: all).
    /// Of several rules for one type, each applies once the previous one is used up. An empty text means no faults.
    ///
    /// - Parameter types: the first byte of each message type, by its name.
    package init(rules text: String, types: [String: UInt8]) throws(MessagingError) {
        var rules: [Rule] = []
        for part in text.split(separator: ",") {
            let found = part.filter { !$0.isWhitespace }
            if found.isEmpty { continue }
            let fields = found.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 2 || fields.count == 3 else {
                throw .invalidFaultRule(found: found, reason: "write drop:TYPE:COUNT or double:TYPE:COUNT.")
            }
            guard let delivery: Delivery = ["drop": .drop, "double": .duplicate][fields[0]] else {
                throw .invalidFaultRule(found: found, reason: "\"\(fields[0])\" is neither drop nor double.")
            }
            guard let type = types[fields[1]] else {
                throw .invalidFaultRule(
                    found: found,
                    reason: "\"\(fields[1])\" is not one of \(types.keys.sorted().joined(separator: ", ")).")
            }
            guard let count = fields.count == 2 ? Int.max : Int(fields[2]), count > 0 else {
                throw .invalidFaultRule(found: found, reason: "\"\(fields[2])\" is not a count of 1 or more.")
            }
            rules.append(Rule(type: type, delivery: delivery, remaining: count))
        }
        guard !rules.isEmpty else {
            self = .none
            return
        }
        let book = RuleList(rules)
        self.init { direction, frame in
            direction == .outbound ? book.delivery(frame) : .deliver
        }
    }
}
