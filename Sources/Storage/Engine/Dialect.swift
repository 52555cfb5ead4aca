/// The few places where SQLite's SQL and PostgreSQL's differ.
enum Dialect {
    /// Keeps a table's rows in the order of its primary key, without a second tree.
    static let clusteredByPrimaryKey = SQL("WITHOUT ROWID")

    /// The type of a column that holds bytes.
    static let bytes = SQL("BLOB")

    /// A column as an operand that no index is chosen for.
    static func unindexed(_ column: StaticString) -> SQL {
        SQL(stringLiteral: "+\(column)")
    }

    /// A new UUIDv7 (RFC 9562) whose time is the column `created_at`, in microseconds; for rows that got none
    /// from the program.
    static let uuidV7 = SQL(
        """
        lower(substr(printf('%012x', created_at / 1000), 1, 8) || '-' || substr(printf('%012x', created_at / 1000), 9)
            || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-'
            || hex(randomblob(6)))
        """)

    static func tableExists(_ name: String) -> SQL {
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \(name)"
    }
}
