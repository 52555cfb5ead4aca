/// A statement whose values are bound, never spliced into its text:
/// `"SELECT name FROM users WHERE id = \(id)"`.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// The statement, with `?` where each value belongs.
    package private(set) var text: String
    package private(set) var values: [SQLValue]

    package init(_ text: StaticString) {
        self.text = text.description
        values = []
    }

    package init(stringLiteral value: String) {
        text = value
        values = []
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    /// To how many values a list is filled up by repeating its last: prepared statements are kept by
    /// their text for ever, so that there must not be one for each length.
    static func paddedCount(_ count: Int) -> Int {
        count <= 1 ? count : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    package static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result.text += right.text
        result.values += right.values
        return result
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        package mutating func appendInterpolation(_ value: some SQLConvertible) {
            text += "?"
            values.append(value.sqlValue)
        }

        package mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
            text += "?"
            values.append(SQLValue(value))
        }

        /// A list for `IN (…)`; an empty one becomes `NULL`, which matches nothing.
        package mutating func appendInterpolation(list: some Sequence<some SQLConvertible>) {
            var bound = list.map(\.sqlValue)
            if let last = bound.last {
                bound += Array(repeating: last, count: SQL.paddedCount(bound.count) - bound.count)
            }
            text += bound.isEmpty ? "NULL" : Array(repeating: "?", count: bound.count).joined(separator: ", ")
            values += bound
        }

        /// Another statement's text and values, for conditions that are put together from parts.
        package mutating func appendInterpolation(_ fragment: SQL) {
            text += fragment.text
            values += fragment.values
        }

        /// Text that becomes part of the statement as it is. Only for constants of the program.
        package mutating func appendInterpolation(trusted fragment: StaticString) {
            text += fragment.description
        }
    }
}
