import Model

/// Reads JSON with the mistakes of small models: comments, trailing and missing commas, names without quotation marks,
/// other quotation marks, commas and colons, line breaks in strings, numbers such as `7.` and `+7`, and Python's words.
struct ModelValueReader {
    struct NoValue: Error {}

    /// The deepest nesting that is read; answers have four levels.
    private static let deepest = 32
    /// How often, on average, a character may be read in vain: an opening bracket in prose does not begin a value.
    private static let patience = 6

    let text: [Unicode.Scalar]
    var position = 0
    /// How many characters may still be read.
    private var budget: Int
    /// Whether a bracket opens a value that the text does not complete, because the rest is missing.
    private(set) var isUnended = false

    init(_ text: [Unicode.Scalar]) {
        self.text = text
        budget = self.text.count * Self.patience + 1_000
    }

    /// The complete values in order, with their ranges.
    mutating func parts() -> [ModelText.Part] {
        var found: [ModelText.Part] = []
        var start = 0
        while start < text.count, budget > 0 {
            guard text[start] == "{" || text[start] == "[" else {
                start += 1
                continue
            }
            position = start
            if let value = try? value(depth: 0) {
                found.append(ModelText.Part(value: value, range: start..<position))
                start = position
            } else {
                isUnended = isUnended || position >= text.count || budget <= 0
                start += 1
            }
        }
        return found
    }

    // MARK: Values

    private mutating func value(depth: Int) throws -> ModelValue {
        guard depth < Self.deepest else { throw NoValue() }
        try skipBlanks()
        let first = try present()
        switch first {
        case "{": return try object(depth: depth)
        case "[": return try list(depth: depth)
        case "-", "+", ".", "0"..."9": return try number()
        case _ where Self.closings[first] != nil: return .text(try quoted())
        default:
            _ = try word()
            return .other
        }
    }

    private mutating func object(depth: Int) throws -> ModelValue {
        try advance()
        var members: [String: ModelValue] = [:]
        while true {
            try skipSeparators()
            if try present() == "}" {
                try advance()
                return .object(members)
            }
            let name = Self.closings[try present()] != nil ? try quoted() : try word()
            try skipBlanks()
            guard [":", "\u{FF1A}"].contains(try present()) else { throw NoValue() }
            try advance()
            members[Self.plain(name)] = try value(depth: depth + 1)
        }
    }

    /// The name of a member as the tables have it: `Song Number`, `song-number` and `Song No.` are `song_number` and
    /// `song_no`.
    private static func plain(_ name: String) -> String {
        var plain = String(name.lowercased().map { " -.".contains($0) ? "_" : $0 })
        while plain.count > 1, plain.hasSuffix("_") { plain.removeLast() }
        return plain
    }

    private mutating func list(depth: Int) throws -> ModelValue {
        try advance()
        var items: [ModelValue] = []
        while true {
            try skipSeparators()
            if try present() == "]" {
                try advance()
                return .list(items)
            }
            items.append(try value(depth: depth + 1))
        }
    }

    private mutating func number() throws -> ModelValue {
        var digits = ""
        while position < text.count, Self.isOfNumber(text[position]) {
            digits.unicodeScalars.append(text[position])
            try advance()
        }
        // A word such as `7th` is not a number.
        if position < text.count, Self.isLetter(text[position]) { throw NoValue() }
        if digits.hasPrefix("+") { digits.removeFirst() }
        if digits.hasSuffix(".") { digits.removeLast() }
        guard Double(digits) != nil else { throw NoValue() }
        // Longer texts, and numbers that are not finite, cannot be an answer to anything that is asked.
        let range = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        return Double(decimal: digits, in: range).map { .number($0) } ?? .other
    }

    /// `true`, `None`, or the name of a member without quotation marks.
    private mutating func word() throws -> String {
        var word = ""
        while position < text.count,
            Self.isLetter(text[position]) || Self.isOfWord(text[position])
        {
            word.unicodeScalars.append(text[position])
            try advance()
        }
        guard !word.isEmpty else { throw NoValue() }
        return word
    }

    // MARK: Moving on

    func present() throws -> Unicode.Scalar {
        guard position < text.count else { throw NoValue() }
        return text[position]
    }

    mutating func advance() throws {
        guard position < text.count, budget > 0 else { throw NoValue() }
        position += 1
        budget -= 1
    }
}
