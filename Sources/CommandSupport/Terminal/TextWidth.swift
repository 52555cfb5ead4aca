/// The width of text in terminal columns: two for East Asian wide characters and emoji, none for combining marks,
/// one for all others.
///
/// The classes W and F of Unicode's East Asian Width (UAX #11) are wide. Ambiguous characters count as one column, as
/// in terminals outside East Asian locales.
package enum TextWidth {
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initial consonants
        0x2329...0x232A, 0x2E80...0x303E,  // CJK radicals, symbols and punctuation
        0x3041...0x4DBF,  // kana, bopomofo, compatibility, ideographs of extension A
        0x4E00...0xA4CF,  // ideographs, Yi
        0xA960...0xA97F, 0xAC00...0xD7A3,  // Hangul
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,  // Tangut, Khitan, kana supplements
        0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    static func of(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// 0, 1 or 2.
    static func of(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.isASCII { return isEmojiSequence(character) ? 2 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation || isEmojiSequence(character) { return 2 }
        return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Whether variation selector 16 requests emoji presentation: `❤️` is wide, `❤` is not.
    private static func isEmojiSequence(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.value == 0xFE0F }
    }

    /// `text`, cut with `…` if it is wider than `width` columns.
    static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 0 else { return "" }
        var result = ""
        var left = width - 1
        for character in text {
            left -= of(character)
            if left < 0 { break }
            result.append(character)
        }
        // No space before the `…`.
        while result.last == " " { result.removeLast() }
        return result + "…"
    }

    /// `text` on one line, without control and direction characters: text from elsewhere must neither move the cursor
    /// nor change the writing direction.
    package static func printable(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            case .format where scalar.properties.isBidiControl: continue
            default: scalars.append(scalar)
            }
        }
        return String(scalars).split(separator: " ").joined(separator: " ")
    }
    /// Names on one line: `Adele, Björk and Coldplay`.
    package static func printable(_ names: [String], joinedBy word: String) -> String {
        let names = names.map { printable($0) }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) \(word) \(last)"
    }
}
