/// Reading strings, and what is between values.
extension ModelValueReader {
    // MARK: Texts

    /// The quotation marks that open a string, with those that close it.
    static let closings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "\"": ["\""], "'": ["'"], "`": ["`"], "\u{201C}": ["\u{201D}", "\""], "\u{201E}": ["\u{201C}", "\u{201D}"],
        "\u{2018}": ["\u{2019}"], "\u{AB}": ["\u{BB}"], "\u{300C}": ["\u{300D}"], "\u{300E}": ["\u{300F}"],
        "\u{FF02}": ["\u{FF02}"],
    ]

    mutating func quoted() throws -> String {
        let opening = try present()
        let closings = Self.closings[opening] ?? []
        // An apostrophe within a string does not end it.
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

    /// Whether the next character is one that can follow a string.
    func endsText() -> Bool {
        guard let next = text[position...].first(where: { !Self.isBlank($0) }) else { return true }
        return ":\u{FF1A}}]/#".unicodeScalars.contains(next) || Self.separators.contains(next)
    }

    mutating func appendEscaped(to content: inout String.UnicodeScalarView) throws {
        let escaped = try present()
        try advance()
        switch escaped {
        case "n": content.append("\n")
        case "t": content.append("\t")
        case "r", "b", "f": break
        case "u":
            let unit = try hexadecimal()
            if (0xD800...0xDBFF).contains(unit), position + 1 < text.count, text[position] == "\\",
                text[position + 1] == "u"
            {
                position += 2
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

    mutating func hexadecimal() throws -> UInt32 {
        guard position + 4 <= text.count else {
            position = text.count
            throw NoValue()
        }
        var digits = String.UnicodeScalarView()
        for _ in 0..<4 {
            digits.append(text[position])
            try advance()
        }
        guard let unit = UInt32(String(digits), radix: 16) else { throw NoValue() }
        return unit
    }

    // MARK: Between values

    /// The comma, and those used in Chinese and Japanese.
    static let separators: [Unicode.Scalar] = [",", "\u{FF0C}", "\u{3001}"]

    mutating func skipSeparators() throws {
        try skipBlanks()
        while Self.separators.contains(try present()) {
            try advance()
            try skipBlanks()
        }
    }

    /// Skips white space and comments (`// …`, `# …`, `/* … */`).
    mutating func skipBlanks() throws {
        while position < text.count {
            if Self.isBlank(text[position]) || text[position] == "\u{FEFF}" {
                try advance()
            } else if text[position] == "#" || starts("/", "/") {
                while position < text.count, text[position] != "\n", text[position] != "\r" { try advance() }
            } else if starts("/", "*") {
                while !starts("*", "/") { try advance() }
                try advance()
                try advance()
            } else {
                return
            }
        }
    }

    func starts(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        position + 1 < text.count && text[position] == first && text[position + 1] == second
    }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
    }

    static func isOfNumber(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "+", "-", ".", "e", "E", "0"..."9": true
        default: false
        }
    }

    static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "_", "$", "0"..."9": true
        default: false
        }
    }

    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic }
        return (65...90).contains(scalar.value) || (97...122).contains(scalar.value)
    }
}
