import TestSupport

/// Documents for fuzzing.
enum RandomDocument {
    /// A document that is JSON, with blanks between its tokens.
    static func bytes(using random: inout SeededRandom) -> [UInt8] {
        Array(value(depth: 0, using: &random).utf8)
    }

    private static func value(depth: Int, using random: inout SeededRandom) -> String {
        let blank = ["", "", " ", "\n", "\t\r "].randomElement(using: &random) ?? ""
        let isLeaf = depth > 3
        let text =
            switch Int.random(in: isLeaf ? 2...5 : 0...5, using: &random) {
            case 0:
                "["
                    + (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth + 1, using: &random) }
                    .joined(separator: ",") + "]"
            case 1:
                // Names are numbered, so that none occurs twice.
                "{"
                    + (0..<Int.random(in: 0...4, using: &random)).map { number in
                        "\(string("\(number)", using: &random)):\(value(depth: depth + 1, using: &random))"
                    }.joined(separator: ",") + "}"
            case 2: ["true", "false", "null"].randomElement(using: &random) ?? "null"
            case 3: number(using: &random)
            default: string("", using: &random)
            }
        return blank + text + blank
    }

    private static func number(using random: inout SeededRandom) -> String {
        let whole = Int.random(in: -1_000_000...1_000_000, using: &random)
        let fraction = Bool.random(using: &random) ? ".\(Int.random(in: 0...9_999, using: &random))" : ""
        let exponent = ["", "", "e5", "E-7", "e+0"].randomElement(using: &random) ?? ""
        return "\(whole)\(fraction)\(exponent)"
    }

    private static func string(_ start: String, using random: inout SeededRandom) -> String {
        let parts = [
            "a", "é", "日本", "🎵", "\\\"", "\\\\", "\\/", "\\n", "\\u0000", "\\u00e9", "\\ud83c\\udfb5", " ", "\u{7F}",
            "/", ":", "{",
        ]
        let body = (0..<Int.random(in: 0...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        return "\"\(start)\(body.joined())\""
    }

    /// A copy with up to three bytes changed, removed, duplicated, inserted or cut off.
    static func damaged(_ document: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var bytes = document
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let place = bytes.indices.randomElement(using: &random) else { break }
            switch Int.random(in: 0...5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] = Array("{}[],:\"\\0-e.tfn u".utf8).randomElement(using: &random) ?? 0
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(bytes[place], at: place)
            case 4: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
