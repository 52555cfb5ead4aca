import Model

/// The plain meaning of values that programs write with another type: a list of one element for the element, an empty
/// list for an empty object, as PHP does, and numbers and flags as strings.
extension JSONValue {
    /// The only element of a list of one; otherwise the value itself.
    private var single: JSONValue {
        if case .array(let elements) = self, elements.count == 1 { elements[0] } else { self }
    }

    /// A string, or a number as a string.
    var plainText: String? {
        switch single {
        case .text(let text): text
        case .number(let number): Int(number, in: Self.numbers).map { String($0) } ?? String(number)
        default: nil
        }
    }

    /// A number, or a string with one; its fraction is cut off.
    var plainNumber: Int? {
        switch single {
        case .number(let number): Int(number.rounded(.towardZero), in: Self.numbers)
        case .text(let text):
            Int(decimal: text, in: Self.numbers)
                ?? Double(decimal: text, in: -1e15...1e15).flatMap { Int($0.rounded(.towardZero), in: Self.numbers) }
        default: nil
        }
    }

    /// A flag, or a string or number that stands for one.
    var plainFlag: Bool? {
        switch single {
        case .flag(let flag): flag
        case .number(0), .text("0"): false
        case .number(1), .text("1"): true
        case .text(let text): ["true": true, "false": false][text.utf8.count <= 5 ? text.lowercased() : ""]
        default: nil
        }
    }

    /// The elements of a list. A value that is not a list is its own only element, and an empty object counts as an
    /// empty list.
    var plainElements: [JSONValue] {
        switch self {
        case .array(let elements): elements
        case .null, .object([:]): []
        default: [self]
        }
    }

    /// The members of an object; no members for an empty list.
    var plainMembers: [String: JSONValue]? {
        switch single {
        case .object(let members): members
        case .array([]): [:]
        default: nil
        }
    }

    /// A member of an object.
    subscript(name: String) -> JSONValue? { plainMembers?[name] }
}
