import Model

/// A value of JSON as models write it.
enum ModelValue: Equatable {
    /// The names of members are in small letters. Of members with one name, the last one counts.
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

    /// Of candidates and years, and what a model may confuse with them: each is a `Double`, too, and may be counted
    /// from.
    private static let numbers = -1_000_000_000_000...1_000_000_000_000

    /// A whole number, perhaps as a text.
    var whole: Int? {
        switch self {
        case .number(let number): Int(number, in: Self.numbers)
        case .text(let text): Int(decimal: text, in: Self.numbers)
        default: nil
        }
    }

    /// The last value that a condition selects, of the text's values and of those within them; of those of a text that
    /// was encoded twice, if there is no other.
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
