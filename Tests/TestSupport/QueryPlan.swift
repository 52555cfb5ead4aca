import Storage

extension SQLReader {
    /// The steps in which SQLite runs a query.
    package func plan(of query: SQL) throws -> [String] {
        try rows(.onlySQLite("EXPLAIN QUERY PLAN " + query)).map { try $0["detail"] as String }
    }
}
