import Storage

/// Running searches, of which a person may have a limited number at once.
extension ConcertStore {
    /// The number of a user's running searches. Uses the index `concert_searches_running`.
    package func runningSearches(ofUser userID: String) throws -> Int {
        try transaction.row(Self.running(ofUser: userID))?["count"] ?? 0
    }

    static func running(ofUser userID: String) -> SQL {
        "SELECT COUNT(*) AS count FROM concert_searches WHERE user_id = \(userID) AND is_running = 1"
    }
}

extension ConcertStore where Access == WriteTransaction {
    /// Updates `is_running` of a search: whether it is not cancelled and any target has no answer, as in
    /// ``SearchOutcome``.
    func updateRunning(ofSearch id: String) throws {
        try transaction.run("UPDATE concert_searches SET is_running = \(Self.isWaiting) WHERE id = \(id)")
    }

    static var isWaiting: SQL {
        """
        CASE WHEN cancelled_at IS NULL AND EXISTS (
            SELECT 1 FROM concert_search_subjects WHERE search_id = concert_searches.id AND status IS NULL)
        THEN 1 ELSE 0 END
        """
    }
}
