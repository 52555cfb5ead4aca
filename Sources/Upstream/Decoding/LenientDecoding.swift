import Model

/// An element of a list, or `nil` for one that is null or cannot be read: one bad element never invalidates the others.
package struct Lenient<Value: Decodable>: Decodable {
    package var value: Value?

    package init(from decoder: any Decoder) {
        value = try? Value(from: decoder)
    }
}

extension Lenient: Sendable where Value: Sendable {}

extension KeyedDecodingContainer {
    /// A member's value; `nil` when it is missing, null or of another type.
    package func lenient<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        try? decodeIfPresent(type, forKey: key)
    }

    // Decoders read these types faster with their specific functions than with the generic one.

    /// Like ``lenient(_:as:)``, and `nil` for an empty text.
    package func text(_ key: Key) -> String? {
        guard let text = try? decodeIfPresent(String.self, forKey: key), !text.isEmpty else { return nil }
        return text
    }

    /// A count, a size or a time that a service reports; `nil` when it is missing, null, of another type, or outside
    /// ``serviceNumbers``.
    package func number(_ key: Key) -> Int? {
        (try? decodeIfPresent(Int.self, forKey: key)).flatMap { Int($0, in: serviceNumbers) }
    }

    /// Like ``lenient(_:as:)``.
    package func flag(_ key: Key) -> Bool? {
        try? decodeIfPresent(Bool.self, forKey: key)
    }

    /// The readable elements of a list; empty when it is missing, null or not a list.
    package func elements<Value: Decodable>(_ key: Key, of type: Value.Type = Value.self) -> [Value] {
        lenient(key, as: [Lenient<Value>].self)?.compactMap(\.value) ?? []
    }
}
