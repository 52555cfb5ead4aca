extension Database {
    /// The most rows that upkeep deletes in one transaction, so that nobody waits for it.
    package static let upkeepBatch = 500

    /// Deletes rows some at a time, each time in a transaction of its own, until there are none or the task is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - time: what the rows are deleted by; passed on.
    ///   - limit: the most rows of one transaction.
    ///   - delete: deletes up to `limit` rows and returns how many.
    /// - Returns: how many there were.
    @discardableResult
    package func deleteInBatches(
        at time: PruningTime, of limit: Int = upkeepBatch,
        _ delete:
            @escaping @Sendable (_ transaction: WriteTransaction, _ time: PruningTime, _ limit: Int) throws -> Int
    ) async throws -> Int {
        var total = 0
        while !Task.isCancelled {
            let count = try await write { try delete($0, time, limit) }
            total += count
            if count < limit { break }
        }
        return total
    }
}
