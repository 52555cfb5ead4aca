import Foundation

/// How the simulated search splits and folds text.
enum SearchText {
    /// Letters that Unicode decomposition does not reduce to a plain one.
    private static let plain: [Character: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th",
    ]

    /// The words in lower case without diacritics; apostrophes are dropped, other marks separate words.
    ///
    /// A name with marks inside a word also yields the joined word: `AC/DC` is `ac`, `dc`, `acdc`.
    static func words(_ text: String) -> [String] {
        if let words = asciiWords(text) { return words }
        var words: [String] = []
        for chunk in fold(text).split(whereSeparator: \.isWhitespace) {
            let parts = chunk.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            words += parts
            if parts.count > 1 { words.append(parts.joined()) }
        }
        return words
    }

    /// The words of an ASCII text; `nil` for any other text. Most of a catalog's names are ASCII, and the general way
    /// is much slower.
    private static func asciiWords(_ text: String) -> [String]? {
        var words: [String] = []
        var word: [UInt8] = []
        /// The words since the last blank.
        var joined: [UInt8] = []
        var parts = 0
        func endWord() {
            guard !word.isEmpty else { return }
            words.append(String(decoding: word, as: UTF8.self))
            joined += word
            parts += 1
            word.removeAll(keepingCapacity: true)
        }
        func endChunk() {
            endWord()
            if parts > 1 { words.append(String(decoding: joined, as: UTF8.self)) }
            joined.removeAll(keepingCapacity: true)
            parts = 0
        }
        for byte in Array(text.utf8) {
            switch byte {
            case 0x41...0x5A: word.append(byte | 0x20)
            case 0x61...0x7A, 0x30...0x39: word.append(byte)
            case UInt8(ascii: "'"): continue
            case 0x20, 0x09...0x0D: endChunk()
            case ..<0x80: endWord()
            default: return nil
            }
        }
        endChunk()
        return words
    }

    /// The text in lower case, without diacritics and apostrophes.
    static func fold(_ text: String) -> String {
        let lowered = text.lowercased()
        guard !lowered.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x27 }) else { return lowered }
        var folded = ""
        for scalar in lowered.decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark: continue
            default:
                if scalar == "'" || scalar == "’" || scalar == "‘" { continue }
                folded += plain[Character(scalar)] ?? String(scalar)
            }
        }
        return folded.precomposedStringWithCanonicalMapping
    }

    /// Words that match everywhere and are therefore ignored unless there is nothing else.
    private static let ignored: Set<String> = ["the", "and", "of", "a"]

    /// The words of a query that must match.
    static func required(_ query: String) -> [String] {
        var words: [String] = []
        for chunk in fold(query).split(whereSeparator: \.isWhitespace) {
            words += chunk.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        let telling = words.filter { !ignored.contains($0) }
        return telling.isEmpty ? words : telling
    }
}
