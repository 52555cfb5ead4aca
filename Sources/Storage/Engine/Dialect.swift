/// The few places where SQLite's SQL and PostgreSQL's differ.
enum Dialect {
    /// Keeps a table's rows in the order of its primary key, without a second tree.
    static let clusteredByPrimaryKey = SQL("WITHOUT ROWID")

    static func tableExists(_ name: String) -> SQL {
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \(name)"
    }
}
