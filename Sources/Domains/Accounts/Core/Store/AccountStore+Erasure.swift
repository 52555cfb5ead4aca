import Model
import Storage
import Visibility

extension AccountStore {
    /// The people whose erasure is unfinished, oldest erasure first.
    func unfinishedErasures(limit: Int) throws -> [String] {
        try transaction.rows("SELECT user_id FROM erasures ORDER BY began_at, user_id LIMIT \(limit)")
            .map { try $0["user_id"] }
    }

    func hasErasures(begunIn period: ClosedRange<Timestamp>) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM erasures WHERE began_at >= \(period.lowerBound) AND began_at <= \(period.upperBound) LIMIT 1
            """) != nil
    }

    /// Removed people with rows whose erasure has not begun, at most `limit`: a worker wrote them after the removal.
    package func unmarkedErasures(tables: PersonalTables, limit: Int) throws -> [String] {
        let begun = Set(try unfinishedErasures(limit: limit))
        return try tables.goneOwners(exempt: SystemUser.id, limit: limit, in: transaction)
            .filter { !begun.contains($0) }
    }

    /// The number of unfinished erasures, and the beginning of the oldest.
    package func erasureBacklog() throws -> (count: Int, oldest: Timestamp?) {
        let row = try transaction.row("SELECT COUNT(*) AS count, MIN(began_at) AS oldest FROM erasures")
        return (try row?["count"] ?? 0, try row?["oldest"])
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Deletes a user with all rows that reference theirs, hides them from everybody, and marks the other rows for
    /// erasure.
    ///
    /// - Parameter heldNames: holds the user's names, so that nobody poses as them; `nil` holds none.
    package func beginErasure(ofUser id: String, heldNames: RecognitionKey? = nil, now: Timestamp) throws {
        if let heldNames { try holdNames(ofUser: id, with: heldNames, now: now) }
        try transaction.visibility.close(userID: id)
        try transaction.run(
            """
            INSERT INTO erasures (user_id, began_at) VALUES (\(id), \(now)) ON CONFLICT (user_id) DO NOTHING
            """)
        try transaction.run("DELETE FROM users WHERE id = \(id)")
        transaction.recordChange(of: [id], topic: .credentials)
        transaction.recordChange(of: [SystemUser.id], topic: .removals)
    }

    /// Ends the erasure of people without rows.
    func endErasures(ofUsers ids: [String]) throws {
        for id in ids { try transaction.run("DELETE FROM erasures WHERE user_id = \(id)") }
    }
}
