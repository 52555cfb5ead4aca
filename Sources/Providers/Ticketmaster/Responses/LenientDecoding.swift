import Model

/// A list that skips malformed and null items.
struct LenientList<Element: Decodable>: Decodable {
    var items: [Element] = []
    /// How many items were skipped.
    var skipped = 0

    init() {}

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            if try container.decodeNil() {
                skipped += 1
            } else if let item = try? container.decode(Element.self) {
                items.append(item)
            } else {
                // A failed decode does not advance the container: skip the item.
                _ = try container.decode(Anything.self)
                skipped += 1
            }
        }
    }
}

private struct Anything: Decodable {
    init(from decoder: any Decoder) throws {}
}

/// A text that may also be sent as an integer. It is stored exactly, including whitespace and case.
struct ExactText: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else {
            text = String(try container.decode(UInt64.self))
        }
    }
}

extension KeyedDecodingContainer {
    /// The value; `nil` when it is missing, null or of another type, so that one malformed field does not invalidate
    /// the item.
    func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// A text with surrounding whitespace removed; `nil` when nothing is left.
    func text(_ key: Key) -> String? {
        lenient(String.self, key).flatMap(\.trimmed)
    }

    func list<Element: Decodable>(_ type: Element.Type, _ key: Key) -> [Element] {
        lenient(LenientList<Element>.self, key)?.items ?? []
    }

    func flag(_ key: Key) -> Bool {
        lenient(Bool.self, key) ?? (lenient(String.self, key)?.lowercased() == "true")
    }

    /// A number of at most ``serviceNumbers``, which may be sent as a text.
    func integer(_ key: Key) -> Int? {
        let number = lenient(Int.self, key).flatMap { Int($0, in: serviceNumbers) }
        return number ?? lenient(String.self, key).flatMap { Int(decimal: $0, in: serviceNumbers) }
    }

    /// An id, unchanged; `nil` when it is missing or empty.
    func identifier(_ key: Key) -> String? {
        lenient(ExactText.self, key).flatMap { $0.text.isEmpty ? nil : $0.text }
    }
}

extension String {
    /// The text with surrounding whitespace removed; `nil` when nothing is left.
    var trimmed: String? {
        // Fast path: most of a page's thousands of texts begin and end with an ASCII letter or digit.
        if let first = utf8.first, let last = utf8.last, (0x21...0x7E).contains(first), (0x21...0x7E).contains(last) {
            return self
        }
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(self[first...last])
    }
}
