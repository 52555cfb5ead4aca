import Foundation

/// Encodes and decodes values of one type as JSON text.
package struct JSONCoding<Value: Sendable>: Sendable {
    package let encode: @Sendable (Value) throws -> String
    package let decode: @Sendable (String) throws -> Value
}

extension JSONCoding where Value: Codable {
    /// Members of objects are sorted by name, so that equal values have equal texts.
    package static var codable: JSONCoding {
        JSONCoding(
            encode: { value in
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                return String(decoding: try encoder.encode(value), as: UTF8.self)
            },
            decode: { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) })
    }
}

extension JSONCoding where Value == JSONText {
    /// The text itself, which is not parsed.
    package static var verbatim: JSONCoding {
        JSONCoding(encode: { $0.text }, decode: { JSONText($0) })
    }
}

/// JSON text that is passed on unparsed.
package struct JSONText: Sendable, Hashable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// The payload of kinds without input: `{}`. Decoding ignores all members.
package struct NoPayload: Codable, Sendable, Equatable {
    package init() {}

    package init(from decoder: any Decoder) throws {}

    private enum Keys: CodingKey {}

    package func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: Keys.self)
    }
}
