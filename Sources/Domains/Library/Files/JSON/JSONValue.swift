/// Any JSON value.
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

    /// The integers that a `Double` represents exactly.
    static let numbers = -(1 << 53)...(1 << 53)

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

/// The members of an object, read by their plain meaning.
struct JSONMembers {
    private let members: [String: JSONValue]
    /// Whether a requested string turned out to be something else, such as an object or a list of several values.
    private(set) var isDamaged = false

    /// - Returns: `nil` for a value that neither is an object nor stands for one.
    init?(_ value: JSONValue) {
        guard let members = value.plainMembers else { return nil }
        self.members = members
    }

    mutating func text(_ name: String) -> String? {
        guard let value = members[name], !value.isEmpty, value != .flag(false) else { return nil }
        guard let text = value.plainText else {
            isDamaged = true
            return nil
        }
        return text
    }

    /// Returns `nil` for a value that means neither yes nor no, which counts as missing.
    func flag(_ name: String) -> Bool? { members[name]?.plainFlag }

    mutating func texts(_ name: String) -> [String]? {
        guard let value = members[name], value != .null else { return nil }
        let texts = value.plainElements.compactMap(\.plainText)
        if texts.count != value.plainElements.count { isDamaged = true }
        return texts
    }

    /// Returns a number; `nil` for one outside `range` and for a string that is not a number, which count as missing.
    ///
    /// - Parameter otherName: the name under which other programs write it.
    func number(_ name: String, _ otherName: String? = nil, in range: ClosedRange<Int>) -> Int? {
        let value = members[name] ?? otherName.flatMap { members[$0] }
        return value?.plainNumber.flatMap { range.contains($0) ? $0 : nil }
    }
}
