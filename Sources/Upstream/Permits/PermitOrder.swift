import Model
import PermitStorage

/// The order in which calls of one class are served: round robin by person, beginning with the person who was served
/// least recently.
struct PermitOrder: Equatable {
    enum Entry: Equatable {
        case own(PermitTransaction.Call)
        /// A call of another process that is about to look for a slot.
        case elsewhere(weight: Int)
    }

    let entries: [Entry]

    /// - Parameters:
    ///   - calls: the calls of this process; the calls of one person stay in order.
    ///   - elsewhere: calls of other processes to which a call of this process may have to leave a permit.
    ///   - lastServed: when people were last served; people who are missing come first.
    ///   - limit: the most entries.
    init(
        _ calls: [PermitTransaction.Call], elsewhere: [WaitingCalls] = [],
        lastServed: [String: MonotonicInstant] = [:], limit: Int
    ) {
        var people: [Person] = []
        var indices: [String: Int] = [:]
        func add(_ entry: Entry, of name: String, count: Int = 1) {
            let index = indices[name] ?? people.count
            if index == people.count {
                indices[name] = index
                people.append(Person(lastServed: lastServed[name], entries: []))
            }
            // No person can be served more often than `limit`.
            let room = max(0, limit - people[index].entries.count)
            people[index].entries += Array(repeating: entry, count: min(count, room))
        }
        for call in calls { add(.own(call), of: call.person) }
        for waiting in elsewhere { add(.elsewhere(weight: waiting.weight), of: waiting.person, count: waiting.calls) }
        // People who were never served come first, in the order of their first calls.
        let order = people.indices.sorted { left, right in
            let first = people[left].lastServed?.microseconds ?? .min
            let second = people[right].lastServed?.microseconds ?? .min
            return first == second ? left < right : first < second
        }
        var entries: [Entry] = []
        for round in 0..<(people.map(\.entries.count).max() ?? 0) where entries.count < limit {
            entries += order.lazy.filter { people[$0].entries.count > round }.map { people[$0].entries[round] }
        }
        self.entries = Array(entries.prefix(limit))
    }

    private struct Person {
        let lastServed: MonotonicInstant?
        var entries: [Entry]
    }
}

extension PermitOrder.Entry {
    var weight: Int {
        switch self {
        case .own(let call): call.weight
        case .elsewhere(let weight): weight
        }
    }
}
