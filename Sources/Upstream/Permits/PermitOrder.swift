import Model
import Storage

/// In which order calls of one class are served: person by person, beginning with the one who was served longest ago.
struct PermitOrder: Equatable {
    enum Entry: Equatable {
        case own(PermitSettlement.Call)
        /// A call of another process that is about to look.
        case elsewhere(weight: Int)
    }

    let entries: [Entry]

    /// - Parameters:
    ///   - calls: this process's, those of each person in their order.
    ///   - claims: those of other processes that a call here may have to leave a permit to.
    ///   - turns: when people were served; who is not in it comes first.
    ///   - limit: of entries.
    init(
        _ calls: [PermitSettlement.Call], claims: [PermitClaim] = [], turns: [String: MonotonicInstant] = [:],
        limit: Int
    ) {
        var people: [Person] = []
        var places: [String: Int] = [:]
        func add(_ entry: Entry, of name: String, count: Int = 1) {
            let place = places[name] ?? people.count
            if place == people.count {
                places[name] = place
                people.append(Person(served: turns[name], entries: []))
            }
            // More of one person than can be served need not be looked at.
            let room = max(0, limit - people[place].entries.count)
            people[place].entries += Array(repeating: entry, count: min(count, room))
        }
        for call in calls { add(.own(call), of: call.person) }
        for claim in claims { add(.elsewhere(weight: claim.weight), of: claim.person, count: claim.calls) }
        // Those who were never served come first, in the order in which they came.
        let order = people.indices.sorted { left, right in
            let (first, second) = (people[left].served?.microseconds ?? .min, people[right].served?.microseconds ?? .min)
            return first == second ? left < right : first < second
        }
        var entries: [Entry] = []
        for round in 0..<(people.map(\.entries.count).max() ?? 0) where entries.count < limit {
            entries += order.lazy.filter { people[$0].entries.count > round }.map { people[$0].entries[round] }
        }
        self.entries = Array(entries.prefix(limit))
    }

    private struct Person {
        let served: MonotonicInstant?
        var entries: [Entry]
    }
}
