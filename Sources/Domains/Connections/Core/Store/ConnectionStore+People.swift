import Storage

extension ConnectionStore {
    /// The ids of people who have connected at least one of the providers, including those who have to reconnect.
    ///
    /// - Parameters:
    ///   - providers: raw values of `Provider`.
    ///   - userID: only ids after this one are returned.
    package func people(connectedTo providers: [String], after userID: String, limit: Int) throws -> [String] {
        try transaction.rows(
            """
            SELECT DISTINCT user_id FROM connections
            WHERE provider IN (\(list: providers)) AND user_id > \(userID)
                AND state IN ('connected', 'degraded', 'needsReconnect')
            ORDER BY user_id LIMIT \(limit)
            """
        ).map { try $0["user_id"] }
    }
}
