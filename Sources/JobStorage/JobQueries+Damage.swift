import Model
import Storage

/// Queries that leave damaged rows out: a range that cannot be read is split in halves, down to the damaged row.
extension JobStore {
    /// Like ``waitingJobs(changedAfter:through:limit:)``, without unreadable rows.
    ///
    /// - Throws: ``StorageError`` when more than some pages of the table are damaged, for instance its index.
    package func undamagedWaitingJobs(changedAfter change: Int64, through last: Int64) throws -> [WaitingJob] {
        var damage = DamageBudget()
        return try damage.undamaged(min(change, last)..<last) { part in
            try waitingJobs(changedAfter: part.lowerBound, through: part.upperBound, limit: .max)
        }
    }

    /// Like ``finishedJobs(among:)``, without unreadable rows.
    ///
    /// - Throws: ``StorageError`` when more than some pages of the table are damaged.
    package func undamagedFinishedJobs(among ids: [String]) throws -> [String] {
        var damage = DamageBudget()
        return try damage.undamaged(Int64(0)..<Int64(ids.count)) { part in
            try finishedJobs(among: ids[Int(part.lowerBound)..<Int(part.upperBound)])
        }
    }
}

/// Bounds how often reading is tried in halves.
private struct DamageBudget {
    /// The failed attempts that are left. Each damaged row takes one for each halving of its range, so this is enough
    /// for some pages full of them. If nothing can be read at all, it is used up within milliseconds.
    private var attempts = 4_096

    /// The values of a range that can be read.
    mutating func undamaged<Value>(_ range: Range<Int64>, read: (Range<Int64>) throws -> [Value]) throws -> [Value] {
        guard !range.isEmpty else { return [] }
        do {
            return try read(range)
        } catch let error as StorageError where error.isDamage {
            attempts -= 1
            guard attempts > 0 else { throw error }
            if range.count == 1 { return [] }
            let middle = range.lowerBound + Int64(range.count / 2)
            return try undamaged(range.lowerBound..<middle, read: read)
                + undamaged(middle..<range.upperBound, read: read)
        }
    }
}
