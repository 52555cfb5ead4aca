import Model

/// A JSON value as models write it.
enum ModelValue: Equatable {
    /// The names of members are in lower case. If several members have the same name, the last one counts.
    case object([String: ModelValue])
    case list([ModelValue])
    case text(String)
    case number(Double)
    /// `null`, a truth value, or a word that is neither.
    case other

    var members: [String: ModelValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    var items: [ModelValue]? {
        if case .list(let items) = self { items } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The accepted range: candidate numbers and years, and anything that a model may confuse with them. All of them
    /// are exactly representable as a `Double`, and small enough for later calculations.
    private static let numbers = -1_000_000_000_000...1_000_000_000_000

    /// The value as a whole number, which may be written as a string.
    var whole: Int? {
        switch self {
        case .number(let number): Int(number, in: Self.numbers)
        case .text(let text): Int(decimal: text, in: Self.numbers)
        default: nil
        }
    }

    /// The last value that a condition selects, among the text's values and those nested in them; if there is none,
    /// among those of the text decoded once more.
    static func last<Found>(in text: String, where select: (ModelValue) -> Found?) -> Found? {
        let outer = ModelText(text)
        return last(of: outer.values, where: select)
            ?? outer.decoded.flatMap { last(of: $0.values, where: select) }
    }

    private static func last<Found>(of values: [ModelValue], where select: (ModelValue) -> Found?) -> Found? {
        for value in values.reversed() {
            if let found = value.last(where: select) { return found }
        }
        return nil
    }

    private func last<Found>(where select: (ModelValue) -> Found?) -> Found? {
        if let found = select(self) { return found }
        let inner =
            switch self {
            case .object(let members): members.sorted { $0.key < $1.key }.map(\.value)
            case .list(let items): items
            default: [ModelValue]()
            }
        for value in inner.reversed() {
            if let found = value.last(where: select) { return found }
        }
        return nil
    }
}
