/// Any value of JSON.
enum JSONValue: Equatable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case array([JSONValue])
    case object([String: JSONValue])
    case null

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var flag: Bool? {
        if case .flag(let flag) = self { flag } else { nil }
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// A whole number, also one that is written as a text; a fraction is cut off.
    var number: Int? {
        switch self {
        case .number(let number): Int(number.rounded(.towardZero), in: Self.numbers)
        case .text(let text): Int(decimal: text, in: Self.numbers)
        default: nil
        }
    }

    /// What a `Double` has exactly.
    private static let numbers = -(1 << 53)...(1 << 53)

    var isEmpty: Bool { self == .null || self == .text("") || self == .array([]) || self == .object([:]) }
}

extension JSONValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number):
            if let whole = Int(number, in: Self.numbers) {
                try container.encode(whole)
            } else {
                try container.encode(number)
            }
        case .flag(let flag): try container.encode(flag)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        case .null: try container.encodeNil()
        }
    }
}

/// The members of an object, each of which has a type or is missing.
struct JSONMembers {
    private let members: [String: JSONValue]
    /// Whether a member that was asked for has another type.
    private(set) var isDamaged = false

    /// - Returns: `nil` for a value that is no object.
    init?(_ value: JSONValue) {
        guard let members = value.members else { return nil }
        self.members = members
    }

    mutating func text(_ name: String) -> String? { value(name) { $0.text } }

    mutating func flag(_ name: String) -> Bool? { value(name) { $0.flag } }

    mutating func texts(_ name: String) -> [String]? {
        value(name) { value in
            guard let elements = value.elements else { return nil }
            let texts = elements.compactMap(\.text)
            return texts.count == elements.count ? texts : nil
        }
    }

    /// A number; `nil` for one outside `range`, which counts as not said.
    mutating func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = members[name], value != .null else { return nil }
        guard case .number = value else {
            isDamaged = true
            return nil
        }
        return value.number.flatMap { range.contains($0) ? $0 : nil }
    }

    private mutating func value<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> Value? {
        guard let value = members[name], value != .null else { return nil }
        guard let result = read(value) else {
            isDamaged = true
            return nil
        }
        return result
    }
}
