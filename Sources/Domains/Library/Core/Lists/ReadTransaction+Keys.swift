import Storage

extension ReadTransaction {
    /// The keys that a statement returns in its only column.
    func keys(_ sql: SQL) throws -> [Int64] {
        var keys: [Int64] = []
        try forEachInteger(sql) { key in
            keys.append(key)
            return .continue
        }
        return keys
    }
}
