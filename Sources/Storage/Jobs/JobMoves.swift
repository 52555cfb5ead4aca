import Model

/// How many jobs of a user and kind went from one state to another: what the counters are brought up to date with.
struct JobMoves {
    struct Move: Hashable {
        var userID: String
        var kind: String
        /// `nil` for a new job.
        var from: JobState?
        /// `nil` for one that was deleted.
        var to: JobState?
    }

    /// Neighbours are alike nearly always; a dictionary's look-up for each took longer than binding its values.
    private var last: (move: Move, count: Int)?
    private var others: [Move: Int] = [:]

    mutating func add(_ move: Move, count: Int = 1) {
        if let current = last {
            if current.move == move {
                last?.count += count
                return
            }
            others[current.move, default: 0] += current.count
        }
        last = (move, count)
    }

    mutating func add(_ moves: JobMoves) {
        for (move, count) in moves.others { add(move, count: count) }
        if let last = moves.last { add(last.move, count: last.count) }
    }

    mutating func removeAll() {
        last = nil
        if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    }

    /// By how much the number of jobs in each state rose, under a key made of what moved; no zeros.
    ///
    /// - Parameter keepsKeys: whether a key of which nothing rose or fell has one zero, which tells that jobs moved.
    func changes(
        by key: (Move) -> String, keepsKeys: Bool = false
    ) -> [(key: String, state: JobState, delta: Int)] {
        var deltas: [String: [JobState: Int]] = [:]
        var all = others
        if let last { all[last.move, default: 0] += last.count }
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
