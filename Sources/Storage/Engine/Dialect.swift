/// The SQL dialects of Backline's statements. Statements use the subset that the dialects share; the few fragments that
/// differ have a text for each.
package enum Dialect: String, Sendable {
    case sqlite
    /// PostgreSQL 15 or later.
    case postgreSQL
}

extension Dialect {
    /// Stores a table's rows in the b-tree of its primary key.
    static let clusteredByPrimaryKey = SQL(sqlite: "WITHOUT ROWID", postgreSQL: "")

    /// The type of an integer primary key, by which SQLite finds rows without an index.
    static let integerKey = SQL(sqlite: "INTEGER", postgreSQL: "BIGINT")

    /// The type of a column that holds bytes.
    static let bytes = SQL(sqlite: "BLOB", postgreSQL: "BYTEA")

    /// The length of a text column in bytes of UTF-8.
    static func byteCount(of column: StaticString) -> SQL {
        SQL(
            sqlite: SQL(stringLiteral: "length(CAST(\(column) AS BLOB))"),
            postgreSQL: SQL(stringLiteral: "octet_length(\(column))"))
    }

    /// The text of a member of the JSON object in a text column; `NULL` if it has no such member.
    static func member(_ name: StaticString, of column: StaticString) -> SQL {
        SQL(
            sqlite: SQL(
                stringLiteral: "CASE WHEN json_valid(\(column)) THEN json_extract(\(column), '$.\(name)') END"),
            postgreSQL: SQL(stringLiteral: "CAST(\(column) AS JSON) ->> '\(name)'"))
    }

    /// A new UUIDv7 (RFC 9562) with the time of the column `created_at`, in microseconds; for rows without an id.
    static let uuidV7 = SQL(
        sqlite: """
            lower(substr(printf('%012x', created_at / 1000), 1, 8) || '-' \
            || substr(printf('%012x', created_at / 1000), 9)
                || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-'
                || hex(randomblob(6)))
            """,
        // The first and last digits of a random UUID are random; version and variant are between them.
        postgreSQL: """
            substr(lpad(to_hex(created_at / 1000), 12, '0'), 1, 8) || '-' \
            || substr(lpad(to_hex(created_at / 1000), 12, '0'), 9)
                || '-7' || left(CAST(gen_random_uuid() AS TEXT), 3) || '-8' || left(CAST(gen_random_uuid() AS TEXT), 3)
                || '-' || right(CAST(gen_random_uuid() AS TEXT), 12)
            """)

    static func tableExists(_ name: String) -> SQL {
        SQL(
            sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \(name)",
            postgreSQL: """
                SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = \(name)
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
