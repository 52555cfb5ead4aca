import Model

/// What can be read of jobs although some of their rows are damaged: what fails is read in halves, down to the row that
/// is to blame, which is left out.
extension JobStore {
    /// As ``waitingJobs(changedAfter:through:limit:)``, without those that cannot be read.
    ///
    /// - Throws: ``StorageError`` when more is damaged than some pages of the table, such as its index.
    package func undamagedWaitingJobs(changedAfter change: Int64, through last: Int64) throws -> [WaitingJob] {
        var damage = DamageBudget()
        return try damage.undamaged(min(change, last)..<last) { part in
            try waitingJobs(changedAfter: part.lowerBound, through: part.upperBound, limit: .max)
        }
    }

    /// As ``finishedJobs(among:)``, without those that cannot be read.
    ///
    /// - Throws: ``StorageError`` when more is damaged than some pages of the table.
    package func undamagedFinishedJobs(among ids: [String]) throws -> [String] {
        var damage = DamageBudget()
        return try damage.undamaged(Int64(0)..<Int64(ids.count)) { part in
            try finishedJobs(among: ids[Int(part.lowerBound)..<Int(part.upperBound)])
        }
    }
}

private struct DamageBudget {
    /// Each damaged row makes one attempt fail for each time that its range can be halved: this is enough for some
    /// pages full of them. Where nothing can be read at all, it ends within milliseconds.
    private var attempts = 4_096

    /// Everything of a range that can be read.
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
