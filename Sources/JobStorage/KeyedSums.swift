import Model

/// Sums of changes by key, such as the jobs of a person that ended in one transaction.
///
/// Consecutive changes nearly always have the same key. A dictionary lookup for each of them would take longer than
/// binding the values of the statement that caused it, so the last key's sum is stored outside of the dictionary.
struct KeyedSums<Key: Hashable, Sum: AdditiveArithmetic> {
    private var last: (key: Key, sum: Sum)?
    private var others: [Key: Sum] = [:]

    mutating func add(_ change: Sum, to key: Key) {
        if let current = last {
            if current.key == key {
                last?.sum += change
                return
            }
            others[current.key, default: .zero] += current.sum
        }
        last = (key, change)
    }

    mutating func add(_ sums: KeyedSums) {
        for (key, sum) in sums.others { add(sum, to: key) }
        if let last = sums.last { add(last.sum, to: last.key) }
    }

    mutating func removeAll() {
        last = nil
        if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    }

    subscript(key: Key) -> Sum {
        let other = others[key] ?? .zero
        guard let last, last.key == key else { return other }
        return other + last.sum
    }

    /// The sum of each key to which anything was added, including sums of zero.
    var all: [Key: Sum] {
        var all = others
        if let last { all[last.key, default: .zero] += last.sum }
        return all
    }
}

/// A change of a job's state, with what the job counters depend on.
struct JobMove: Hashable {
    var userID: String
    var kind: String
    /// `nil` for a new job.
    var from: JobState?
    /// `nil` for a job that was deleted.
    var to: JobState?
}

extension KeyedSums<JobMove, Int> {
    /// By how much the number of jobs in each state increased, grouped by a property of the moves; zeros are left out.
    ///
    /// - Parameter keepsKeys: whether a group whose numbers stayed the same has one entry of zero, which shows that
    ///   jobs moved.
    func changes(
        by key: (JobMove) -> String, keepsKeys: Bool = false
    ) -> [(key: String, state: JobState, delta: Int)] {
        var deltas: [String: [JobState: Int]] = [:]
        for (move, count) in all {
            if let from = move.from { deltas[key(move), default: [:]][from, default: 0] -= count }
            if let to = move.to { deltas[key(move), default: [:]][to, default: 0] += count }
        }
        return deltas.flatMap { key, states in
            let changed = states.filter { $0.value != 0 }
            let kept = changed.isEmpty && keepsKeys ? states.prefix(1).map { ($0.key, $0.value) } : []
            return (changed.map { ($0.key, $0.value) } + kept).map { (key, $0.0, $0.1) }
        }
    }
}
