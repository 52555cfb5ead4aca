/// A statement whose values are bound, never spliced into its text:
/// `"SELECT name FROM users WHERE id = \(id)"`.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// The statement for SQLite, with `?` for each value.
    package private(set) var text: String
    package private(set) var values: [SQLValue]
    /// The statement for PostgreSQL, with `?` for the same values in the same order; `nil` when it is ``text``.
    private(set) var postgreSQL: String?

    package init(_ text: StaticString) {
        self.text = text.description
        values = []
    }

    package init(stringLiteral value: String) {
        text = value
        values = []
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// A statement with a text for each dialect; for ``Dialect``.
    init(sqlite: SQL, postgreSQL: SQL) {
        precondition(sqlite.values == postgreSQL.values, "Other values in another dialect: \(sqlite.text)")
        text = sqlite.text
        values = sqlite.values
        self.postgreSQL = postgreSQL.text
    }

    /// A statement about SQLite's file, which PostgreSQL does not have.
    package static func onlySQLite(_ sql: SQL) -> SQL {
        var result = sql
        result.postgreSQL = ""
        return result
    }

    /// The statement with the placeholders of a dialect; `nil` if the dialect does not have it.
    package func text(for dialect: Dialect) -> String? {
        switch dialect {
        case .sqlite: text
        case .postgreSQL: postgreSQL == "" ? nil : Dialect.numberingPlaceholders(of: postgreSQL ?? text)
        }
    }

    /// The length to which a list is padded with its last value: the next power of two. Prepared statements are cached
    /// by their text forever, so there must not be one for each length.
    package static func paddedCount(_ count: Int) -> Int {
        count <= 1 ? count : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    package static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result.append(right)
        return result
    }

    private mutating func append(_ other: SQL) {
        if postgreSQL != nil || other.postgreSQL != nil {
            postgreSQL = (postgreSQL ?? text) + (other.postgreSQL ?? other.text)
        }
        text += other.text
        values += other.values
    }

    private mutating func append(_ same: String) {
        text += same
        postgreSQL?.append(same)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = SQL(stringLiteral: "")

        package init(literalCapacity: Int, interpolationCount: Int) {
            sql.text.reserveCapacity(literalCapacity + interpolationCount)
            sql.values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            sql.append(literal)
        }

        package mutating func appendInterpolation(_ value: some SQLConvertible) {
            sql.append("?")
            sql.values.append(value.sqlValue)
        }

        package mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
            sql.append("?")
            sql.values.append(SQLValue(value))
        }

        /// A list for `IN (…)`; an empty one becomes `NULL`, which matches nothing.
        package mutating func appendInterpolation(list: some Sequence<some SQLConvertible>) {
            var bound = list.map(\.sqlValue)
            if let last = bound.last {
                bound += Array(repeating: last, count: SQL.paddedCount(bound.count) - bound.count)
            }
            sql.append(bound.isEmpty ? "NULL" : Array(repeating: "?", count: bound.count).joined(separator: ", "))
            sql.values += bound
        }

        /// The text and values of another statement, for conditions that are built from parts.
        package mutating func appendInterpolation(_ fragment: SQL) {
            sql.append(fragment)
        }

        /// Text that is inserted as it is. Only use this for constants of the program.
        package mutating func appendInterpolation(trusted fragment: StaticString) {
            sql.append(fragment.description)
        }
    }
}

/// A statement without values in its text, for the few that run for every job or for every row of a large page. Its
/// text is neither built nor hashed for each run, which would take a tenth of the time that such a write holds the
/// lock.
package final class ConstantSQL: Sendable {
    /// The text with `?` for each value; it is the same for every database.
    let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension Collection {
    /// The elements in parts of 500, far below the limit on a statement's bound values.
    package var listParts: [ArraySlice<Element>] {
        let elements = Array(self)
        return stride(from: 0, to: elements.count, by: 500).map { elements[$0..<Swift.min($0 + 500, elements.count)] }
    }
}
