/// The databases whose SQL is written here. What they share stands plainly in each statement; the few places where they
/// differ are fragments that carry both texts.
package enum Dialect: String, Sendable {
    case sqlite
    /// Version 15 and later.
    case postgreSQL
}

extension Dialect {
    /// Keeps a table's rows in the order of its primary key, without a second tree.
    static let clusteredByPrimaryKey = SQL(sqlite: "WITHOUT ROWID", postgreSQL: "")

    /// The type of a column that holds bytes.
    static let bytes = SQL(sqlite: "BLOB", postgreSQL: "BYTEA")

    /// How many bytes a text has in UTF-8.
    static func byteCount(of column: StaticString) -> SQL {
        SQL(
            sqlite: SQL(stringLiteral: "length(CAST(\(column) AS BLOB))"),
            postgreSQL: SQL(stringLiteral: "octet_length(\(column))"))
    }

    /// A new UUIDv7 (RFC 9562) whose time is the column `created_at`, in microseconds; for rows that got none
    /// from the program.
    static let uuidV7 = SQL(
        sqlite: """
            lower(substr(printf('%012x', created_at / 1000), 1, 8) || '-' || substr(printf('%012x', created_at / 1000), 9)
                || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-'
                || hex(randomblob(6)))
            """,
        // Of a random UUID the first and the last digits are random; version and variant stand between them.
        postgreSQL: """
            substr(lpad(to_hex(created_at / 1000), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(created_at / 1000), 12, '0'), 9)
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
    /// PostgreSQL's placeholders, `$1` and so on, for the `?` of a statement; those within quotes stay.
    static func numberingPlaceholders(of text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        var count = 0
        var quote: Character?
        for character in text {
            if let open = quote {
                // A doubled quote ends a literal and begins the next one at once.
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
        // Whatever its place in the statement needs.
        case .null: "unknown"
        case .integer: "bigint"
        case .real: "double precision"
        case .text: "text"
        case .blob: "bytea"
        }
    }
}
