/// Spotify escapes playlist descriptions as HTML.
enum HTMLEntities {
    private static let named: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}",
    ]

    /// The longest possible name or number: `#x10FFFF`.
    private static let longest = 8

    /// The text with its entities replaced by their characters. Unknown ones, and a lone `&`, are left as they are.
    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var (result, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            let name = rest[rest.index(after: start)...]
            if let end = name.prefix(longest + 1).firstIndex(of: ";"), let character = scalar(named: name[..<end]) {
                result.unicodeScalars.append(character)
                rest = name[name.index(after: end)...]
            } else {
                result += "&"
                rest = name
            }
        }
        return result + rest
    }

    private static func scalar(named name: Substring) -> Unicode.Scalar? {
        if let scalar = named[name] { return scalar }
        guard name.first == "#" else { return nil }
        let number = name.dropFirst()
        let code =
            number.first == "x" || number.first == "X" ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
        return code.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
}
