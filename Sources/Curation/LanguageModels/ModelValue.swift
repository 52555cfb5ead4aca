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

    /// The whole values of JSON that stand in a text, in their order, whatever stands around them: thoughts, remarks,
    /// code fences, with brackets of their own. The work is linear in the text's length.
    static func all(in text: String) -> [ModelValue] {
        var reader = ModelValueReader(text)
        return reader.values()
    }

    /// The last value that a condition selects, of the text's values and of those within them.
    static func last<Found>(in text: String, where select: (ModelValue) -> Found?) -> Found? {
        for value in all(in: text).reversed() {
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

/// Reads JSON with the slips of small models: comments, trailing and missing commas, names without quotation marks,
/// other quotation marks, commas and colons, line breaks in texts, numbers such as `7.` and `+7`, and Python's words.
private struct ModelValueReader {
    private struct NoValue: Error {}

    /// The deepest nesting that is read; answers have four.
    private static let deepest = 32
    /// How often a text may be read over in vain: an opening bracket in prose begins no value.
    private static let patience = 6

    private let text: [Unicode.Scalar]
    private var place = 0
    /// What may still be read, in characters.
    private var budget: Int

    init(_ text: String) {
        self.text = Array(text.unicodeScalars)
        budget = self.text.count * Self.patience + 1_000
    }

    mutating func values() -> [ModelValue] {
        var found: [ModelValue] = []
        var start = 0
        while start < text.count, budget > 0 {
            guard text[start] == "{" || text[start] == "[" else {
                start += 1
                continue
            }
            place = start
            if let value = try? value(depth: 0) {
                found.append(value)
                start = place
            } else {
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
            members[name.lowercased()] = try value(depth: depth + 1)
        }
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
        while place < text.count, Self.isOfNumber(text[place]) {
            digits.unicodeScalars.append(text[place])
            try advance()
        }
        // A word such as `7th` is none.
        if place < text.count, Self.isLetter(text[place]) { throw NoValue() }
        if digits.hasPrefix("+") { digits.removeFirst() }
        if digits.hasSuffix(".") { digits.removeLast() }
        guard Double(digits) != nil else { throw NoValue() }
        // Longer texts, and numbers that are not finite, are no answer to anything that is asked.
        let range = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        return Double(decimal: digits, in: range).map { .number($0) } ?? .other
    }

    /// `true`, `None`, or the name of a member without quotation marks.
    private mutating func word() throws -> String {
        var word = ""
        while place < text.count,
            Self.isLetter(text[place]) || Self.isOfWord(text[place])
        {
            word.unicodeScalars.append(text[place])
            try advance()
        }
        guard !word.isEmpty else { throw NoValue() }
        return word
    }

    // MARK: Texts

    /// The quotation marks that open a text, with those that close it.
    private static let closings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "\"": ["\""], "'": ["'"], "`": ["`"], "\u{201C}": ["\u{201D}", "\""], "\u{201E}": ["\u{201C}", "\u{201D}"],
        "\u{2018}": ["\u{2019}"], "\u{AB}": ["\u{BB}"],
    ]

    private mutating func quoted() throws -> String {
        let opening = try present()
        let closings = Self.closings[opening] ?? []
        // An apostrophe in a text ends nothing.
        let mayBeApostrophe = opening == "'" || opening == "\u{2018}"
        try advance()
        var content = String.UnicodeScalarView()
        while true {
            let scalar = try present()
            try advance()
            if scalar == "\\" {
                try appendEscaped(to: &content)
            } else if closings.contains(scalar), !mayBeApostrophe || endsText() {
                return String(content)
            } else {
                content.append(scalar)
            }
        }
    }

    /// Whether what follows is what follows a text.
    private func endsText() -> Bool {
        guard let next = text[place...].first(where: { !Self.isBlank($0) }) else { return true }
        return ":\u{FF1A}}]/#".unicodeScalars.contains(next) || Self.separators.contains(next)
    }

    private mutating func appendEscaped(to content: inout String.UnicodeScalarView) throws {
        let escaped = try present()
        try advance()
        switch escaped {
        case "n": content.append("\n")
        case "t": content.append("\t")
        case "r", "b", "f": break
        case "u":
            let unit = try hexadecimal()
            if (0xD800...0xDBFF).contains(unit), place + 1 < text.count, text[place] == "\\", text[place + 1] == "u" {
                place += 2
                let low = try hexadecimal()
                guard (0xDC00...0xDFFF).contains(low),
                    let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
                else { throw NoValue() }
                content.append(scalar)
            } else {
                content.append(Unicode.Scalar(unit) ?? "\u{FFFD}")
            }
        default: content.append(escaped)
        }
    }

    private mutating func hexadecimal() throws -> UInt32 {
        guard place + 4 <= text.count else { throw NoValue() }
        var digits = String.UnicodeScalarView()
        for _ in 0..<4 {
            digits.append(text[place])
            try advance()
        }
        guard let unit = UInt32(String(digits), radix: 16) else { throw NoValue() }
        return unit
    }

    // MARK: What stands between

    /// The comma, and those of Chinese and Japanese.
    private static let separators: [Unicode.Scalar] = [",", "\u{FF0C}", "\u{3001}"]

    private mutating func skipSeparators() throws {
        try skipBlanks()
        while Self.separators.contains(try present()) {
            try advance()
            try skipBlanks()
        }
    }

    /// Skips blanks and comments (`// …`, `# …`, `/* … */`).
    private mutating func skipBlanks() throws {
        while place < text.count {
            if Self.isBlank(text[place]) || text[place] == "\u{FEFF}" {
                try advance()
            } else if text[place] == "#" || starts("/", "/") {
                while place < text.count, text[place] != "\n", text[place] != "\r" { try advance() }
            } else if starts("/", "*") {
                while !starts("*", "/") { try advance() }
                try advance()
                try advance()
            } else {
                return
            }
        }
    }

    private func starts(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        place + 1 < text.count && text[place] == first && text[place + 1] == second
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
    }

    private static func isOfNumber(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "+", "-", ".", "e", "E", "0"..."9": true
        default: false
        }
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "_", "$", "0"..."9": true
        default: false
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic }
        return (65...90).contains(scalar.value) || (97...122).contains(scalar.value)
    }

    private func present() throws -> Unicode.Scalar {
        guard place < text.count else { throw NoValue() }
        return text[place]
    }

    private mutating func advance() throws {
        guard place < text.count, budget > 0 else { throw NoValue() }
        place += 1
        budget -= 1
    }
}
