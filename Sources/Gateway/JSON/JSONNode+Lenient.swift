import Foundation

/// Values whose JSON type is not the documented one, but whose meaning is clear. Programs in PHP write an object
/// without members as an empty list, converters from XML write a list of one element as that element, and some programs
/// write numbers as strings, or with a fraction.
extension JSONNode {
    package var isNull: Bool {
        if case .null = value { true } else { false }
    }

    /// Whether it has no content: null, `false`, blank text, or an empty list.
    package var isBlank: Bool {
        switch value {
        case .null, .bool(false): true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        case .array(let elements): elements.isEmpty
        default: false
        }
    }

    /// The elements of a list. Any other value counts as a list of that one element, and null as an empty list.
    package var elements: [JSONNode] {
        switch value {
        case .null: []
        case .array(let elements): elements
        default: [self]
        }
    }

    /// The members of an object; none for a value without content (``isBlank``).
    ///
    /// - Returns: `nil` for any other value.
    package var lenientMembers: [Member]? {
        if case .object(let members) = value { return members }
        return isBlank ? [] : nil
    }

    /// A string, or a number as it is written.
    ///
    /// - Returns: `nil` for any other value.
    package var lenientText: String? {
        switch value {
        case .string(let text), .number(let text): text
        default: nil
        }
    }

    /// A whole number, even one that is written as a string. Decimal places are cut off.
    ///
    /// - Returns: `nil` for anything else, and for a number outside `range`.
    package func wholeNumber(in range: ClosedRange<Int>) -> Int? {
        guard let text = lenientText?.trimmingCharacters(in: .whitespacesAndNewlines) else { return nil }
        return Int(json: text, in: range)
            ?? Double(decimal: text, in: -1e15...1e15).flatMap { Int($0.rounded(.towardZero), in: range) }
    }
}
