import Foundation

/// Values that a text column stores as JSON.
package enum JSONColumn {
    /// Equal values have equal JSON: the members are in alphabetical order.
    package static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// - Throws: ``StorageError`` that names the column.
    package static func decode<Value: Decodable>(_ text: String, column: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw StorageError.column(name: column, found: "another text", wanted: "JSON of \(Value.self)")
        }
    }
}

extension Row {
    /// A value that is one of some words.
    package func word<Word: RawRepresentable>(_ name: String) throws -> Word where Word.RawValue == String {
        let text: String = try self[name]
        guard let word = Word(rawValue: text) else {
            throw StorageError.column(name: name, found: "another text", wanted: "\(Word.self)")
        }
        return word
    }

    /// A value that is stored as JSON; `nil` for NULL.
    package func json<Value: Decodable>(_ name: String) throws -> Value? {
        let text: String? = try self[name]
        return try text.map { try JSONColumn.decode($0, column: name) }
    }
}
