extension Database {
    /// The most rows that upkeep deletes in one transaction, to keep the wait of other writers short.
    package static let upkeepBatch = 500

    /// Deletes rows in transactions of at most `limit` rows, until no row is left or the task is cancelled.
    ///
    /// - Parameters:
    ///   - time: the time to delete by, passed to `delete`.
    ///   - limit: the most rows of one transaction.
    ///   - delete: deletes up to `limit` rows and returns their number.
    /// - Returns: the number of deleted rows.
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
