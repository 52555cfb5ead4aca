/// By how much the unfinished jobs that people submitted, and the bytes of their payloads, rose or fell.
struct SubmissionMoves {
    /// Neighbours are one person's nearly always, as with ``JobMoves``.
    private var last: (userID: String, change: SubmissionUse)?
    private var others: [String: SubmissionUse] = [:]

    mutating func add(_ change: SubmissionUse, userID: String) {
        if let current = last {
            if current.userID == userID {
                last?.change += change
                return
            }
            others[current.userID, default: .none] += current.change
        }
        last = (userID, change)
    }

    mutating func add(_ moves: SubmissionMoves) {
        for (userID, change) in moves.others { add(change, userID: userID) }
        if let last = moves.last { add(last.change, userID: last.userID) }
    }

    mutating func removeAll() {
        last = nil
        if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    }

    /// What came or went of one person's.
    func change(ofUser userID: String) -> SubmissionUse {
        var change = others[userID] ?? .none
        if let last, last.userID == userID { change += last.change }
        return change
    }

    /// What came or went of each person's; no zeros.
    var changes: [(userID: String, change: SubmissionUse)] {
        var all = others
        if let last { all[last.userID, default: .none] += last.change }
        return all.filter { $0.value != .none }.map { ($0.key, $0.value) }
    }
}
