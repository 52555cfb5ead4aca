import Model

/// A value of a row or a binding, in the types that SQLite and PostgreSQL share.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// The name of its type, for errors.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .integer: "integer"
        case .real: "real"
        case .text: "text"
        case .blob: "blob"
        }
    }
}

/// A Swift type that can be bound to a statement and read from a column.
package protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// `nil` when the column holds another type.
    init?(sqlValue: SQLValue)
}

extension SQLValue {
    /// Makes a value to bind, NULL for `nil`.
    package init(_ value: (some SQLConvertible)?) {
        self = value?.sqlValue ?? .null
    }
}

extension SQLValue: SQLConvertible {
    package var sqlValue: SQLValue { self }
    package init?(sqlValue: SQLValue) { self = sqlValue }
}

extension String: SQLConvertible {
    package var sqlValue: SQLValue { .text(self) }
    package init?(sqlValue: SQLValue) {
        guard case .text(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Int64: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self) }
    package init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Int: SQLConvertible {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
    package init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self = Int(value)
    }
}

extension Double: SQLConvertible {
    package var sqlValue: SQLValue { .real(self) }
    package init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .real(let value): self = value
        // A column without a declared type stores a whole number as an integer.
        case .integer(let value): self = Double(value)
        default: return nil
        }
    }
}

/// Stored as 0 or 1.
extension Bool: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    package init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self = value != 0
    }
}

extension Array: SQLConvertible where Element == UInt8 {
    package var sqlValue: SQLValue { .blob(self) }
    package init?(sqlValue: SQLValue) {
        guard case .blob(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
    package init?(sqlValue: SQLValue) {
        if case .null = sqlValue {
            self = .none
        } else {
            guard let value = Wrapped(sqlValue: sqlValue) else { return nil }
            self = value
        }
    }
}

extension Timestamp: SQLConvertible {
    package var sqlValue: SQLValue { .integer(microseconds) }
    package init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self.init(microseconds: value)
    }
}

extension MonotonicInstant: SQLConvertible {
    package var sqlValue: SQLValue { .integer(microseconds) }
    package init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self.init(microseconds: value)
    }
}

extension SQLConvertible where Self: RawRepresentable, RawValue: SQLConvertible {
    package var sqlValue: SQLValue { rawValue.sqlValue }
    package init?(sqlValue: SQLValue) {
        guard let raw = RawValue(sqlValue: sqlValue) else { return nil }
        self.init(rawValue: raw)
    }
}
