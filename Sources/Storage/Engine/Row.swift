/// A row of a result, decoded by column name: `let id: String = try row["id"]`.
package struct Row: Sendable {
    let columns: [String]
    let values: [SQLValue]

    /// - Throws: ``StorageError/column(name:found:wanted:)`` if the column is missing or holds another type. The error
    ///   contains the type of the value and never the value itself, because errors are written to logs and responses.
    package subscript<Value: SQLConvertible>(_ column: String) -> Value {
        get throws {
            guard let index = columns.firstIndex(of: column) else {
                throw StorageError.column(name: column, found: "no such column", wanted: "\(Value.self)")
            }
            guard let value = Value(sqlValue: values[index]) else {
                throw StorageError.column(name: column, found: values[index].typeName, wanted: "\(Value.self)")
            }
            return value
        }
    }
}
