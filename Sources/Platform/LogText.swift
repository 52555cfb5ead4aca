/// Escapes text for one line of a log.
package enum LogText {
    /// `text` with line breaks, control characters, backslashes and characters that reorder a line escaped.
    package static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) && $0 != 0x5c }) { return text }
        var result = ""
        append(text, to: &result, escapingQuotes: false)
        return result
    }

    /// `text` as a JSON string.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        append(text, to: &result, escapingQuotes: true)
        result += "\""
        return result
    }

    /// `text` as the value of `key=value`: bare when that is unambiguous, otherwise quoted.
    package static func value(_ text: String) -> String {
        let isBare =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                scalar != " " && scalar != "=" && scalar != "\"" && scalar != "\\" && !needsEscape(scalar)
                    && !scalar.properties.isWhitespace
            }
        return isBare ? text : quoted(text)
    }

    /// `text` as the key of `key=value`.
    package static func key(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(isKeyByte)
        if isPlain { return text }
        return "_" + String(decoding: text.utf8.map { isKeyByte($0) ? $0 : 0x5f }, as: UTF8.self)
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
            || byte == 0x2e || byte == 0x2d || byte == 0x5f
    }

    private static func append(_ text: String, to result: inout String, escapingQuotes: Bool) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"" where escapingQuotes: result += "\\\""
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where needsEscape(scalar):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Control characters (terminal escapes among them), line and paragraph separators, and invisible format
    /// characters: those that change the reading direction can make a line look like another.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
