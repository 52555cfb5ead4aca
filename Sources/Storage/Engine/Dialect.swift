/// The SQL dialects of Backline's statements. Statements use the subset that the dialects share; the few fragments that
/// differ have a text for each.
package enum Dialect: String, Sendable {
    case sqlite
    /// PostgreSQL 15 or later.
    case postgreSQL
}

extension Dialect {
    /// Stores a table's rows in the b-tree of its primary key.
    package static let clusteredByPrimaryKey = SQL(sqlite: "WITHOUT ROWID", postgreSQL: "")

    /// The type of an integer primary key, by which SQLite finds rows without an index.
    package static let integerKey = SQL(sqlite: "INTEGER", postgreSQL: "BIGINT")

    /// The table's integer primary key (``integerKey``) as the last column of an index, after another one. SQLite's
    /// indexes end with it by themselves, and would hold it twice.
    package static func thenKey(_ column: StaticString) -> SQL {
        SQL(sqlite: "", postgreSQL: ", \(trusted: column)")
    }

    /// The type of a column that holds bytes.
    package static let bytes = SQL(sqlite: "BLOB", postgreSQL: "BYTEA")

    /// A random UUID, another one in each row of a statement.
    package static let newUUID = SQL(
        sqlite: """
            LOWER(HEX(RANDOMBLOB(4)) || '-' || HEX(RANDOMBLOB(2)) || '-4' || SUBSTR(HEX(RANDOMBLOB(2)), 2) || '-8' ||
            SUBSTR(HEX(RANDOMBLOB(2)), 2) || '-' || HEX(RANDOMBLOB(6)))
            """,
        postgreSQL: "CAST(GEN_RANDOM_UUID() AS TEXT)")

    static func tableExists(_ name: String) -> SQL {
        SQL(
            sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \(name)",
            postgreSQL: """
                SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = \(name)
                """)
    }

    static func columnExists(_ name: String, in table: String) -> SQL {
        SQL(
            sqlite: "SELECT 1 FROM pragma_table_info(\(table)) WHERE name = \(name)",
            postgreSQL: """
                SELECT 1 FROM information_schema.columns
                WHERE table_schema = current_schema() AND table_name = \(table) AND column_name = \(name)
                """)
    }
}

extension Dialect {
    /// Replaces the `?` of a statement by PostgreSQL's placeholders `$1`, `$2` and so on. A `?` within quotes stays.
    static func numberingPlaceholders(of text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        var count = 0
        var quote: Character?
        for character in text {
            if let open = quote {
                // A doubled quote ends the literal and begins it again.
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "?" {
                count += 1
                result += "$\(count)"
                continue
            }
            result.append(character)
        }
        return result
    }

    /// The type that a bound value has in PostgreSQL.
    static func postgreSQLType(of value: SQLValue) -> String {
        switch value {
        // PostgreSQL infers the type from the position in the statement.
        case .null: "unknown"
        case .integer: "bigint"
        case .real: "double precision"
        case .text: "text"
        case .blob: "bytea"
        }
    }
}
