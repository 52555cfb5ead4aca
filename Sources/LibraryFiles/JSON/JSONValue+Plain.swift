import Model

/// What values plainly mean that programs write in another type: a list of one element for the element, an empty list
/// for an empty object, as PHP does, and numbers and flags in texts.
extension JSONValue {
    /// The only element of a list of one; otherwise the value itself.
    private var single: JSONValue {
        if case .array(let elements) = self, elements.count == 1 { elements[0] } else { self }
    }

    /// A text, or a number as a text.
    var plainText: String? {
        switch single {
        case .text(let text): text
        case .number(let number): Int(number, in: Self.numbers).map { String($0) } ?? String(number)
        default: nil
        }
    }

    /// A number, also in a text; its fraction is cut off.
    var plainNumber: Int? {
        switch single {
        case .number(let number): Int(number.rounded(.towardZero), in: Self.numbers)
        case .text(let text):
            Int(decimal: text, in: Self.numbers)
                ?? Double(decimal: text, in: -1e15...1e15).flatMap { Int($0.rounded(.towardZero), in: Self.numbers) }
        default: nil
        }
    }

    /// A flag, also as a text or as a number.
    var plainFlag: Bool? {
        switch single {
        case .flag(let flag): flag
        case .number(0), .text("0"): false
        case .number(1), .text("1"): true
        case .text(let text): ["true": true, "false": false][text.utf8.count <= 5 ? text.lowercased() : ""]
        default: nil
        }
    }

    /// The elements of a list; a value that is no list is its only element, and an empty object an empty list.
    var plainElements: [JSONValue] {
        switch self {
        case .array(let elements): elements
        case .null, .object([:]): []
        default: [self]
        }
    }

    /// The members of an object; of an empty list, none.
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
