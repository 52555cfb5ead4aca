import Foundation

/// Normalizes song texts from outside, whether they come in files or over the API: one line, without control
/// characters, cut at a length. Longer texts take longer to compare, and every page of a list contains them.
package enum SongText {
    /// The longest title, or name of an artist or album, in bytes.
    private static let longestName = 2_000
    /// The longest name of a program, in bytes.
    private static let longestProgram = 100
    /// The longest id at a service, in bytes.
    private static let longestID = 100

    /// A title, or the name of an artist, an album or a playlist: line breaks and tabs become spaces.
    package static func name(_ text: String) -> String {
        text.onOneLine.withoutControls.truncated(toBytes: longestName, mark: "…")
    }

    /// The name of a playlist or a file, which pages and logs show between other texts: like ``name(_:)``, but without
    /// characters that are invisible or change the direction of writing, with which a name could look like another one
    /// or reorder the text around it.
    ///
    /// - Returns: an empty text if nothing visible is left.
    package static func label(_ text: String) -> String {
        let label = name(text).withoutHidden
        return label.unicodeScalars.contains { !$0.properties.isWhitespace && !$0.isJoiner } ? label : ""
    }

    /// The name of a program.
    package static func program(_ text: String) -> String {
        text.onOneLine.withoutControls.truncated(toBytes: longestProgram, mark: "")
    }

    /// An id at a service.
    ///
    /// - Returns: `nil` for an empty text, and for one that is too long to be an id.
    package static func id(_ text: String) -> String? {
        let text = text.withoutControls
        return text.isEmpty || text.utf8.count > longestID ? nil : text
    }

    /// An ISRC in upper case, as sources write it, with or without hyphens.
    ///
    /// - Returns: `nil` for an empty text, and for one that is too long to be an ISRC.
    package static func isrc(_ text: String) -> String? { id(text)?.uppercased() }
}

extension String {
    /// The text with a space in place of each tab, and of each run of line breaks and the spaces around it.
    package var onOneLine: String {
        let text = utf8.contains(0x09) ? replacing("\t", with: " ") : self
        guard text.unicodeScalars.contains(where: \.isLineBreak) else { return text }
        let lines = text.unicodeScalars.split(whereSeparator: \.isLineBreak)
        return lines.map { String(String.UnicodeScalarView($0)).trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The text without control characters, except tabs and line ends. Neither PostgreSQL nor readers of files accept
    /// NUL.
    package var withoutControls: String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value < 0x20 && ![0x09, 0x0A, 0x0D].contains(scalar.value) || (0x7F...0x9F).contains(scalar.value)
        }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter { !isControl($0) }))
    }
}

extension String {
    /// The most characters of the code of a flag, such as that of Scotland: five letters and an end.
    private static let longestFlagCode = 6

    /// The text without hidden characters (``Unicode/Scalar/isHidden``), except line ends, and with spaces for tabs.
    /// The codes of flags stay, which are invisible characters after a black flag.
    package var withoutHidden: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        var (visible, code) = (String.UnicodeScalarView(), 0)
        for scalar in unicodeScalars {
            if (0xE0020...0xE007F).contains(scalar.value), code < Self.longestFlagCode,
                code > 0 || visible.last == "\u{1F3F4}"
            {
                visible.append(scalar)
                code += 1
            } else if scalar == "\t" {
                visible.append(" ")
                code = 0
            } else if !scalar.isHidden || scalar == "\n" || scalar == "\r" {
                visible.append(scalar)
                code = 0
            }
        }
        return String(visible)
    }
}

extension Unicode.Scalar {
    /// Whether nobody sees the character: a control character, one that changes the direction of writing, one without
    /// a width, a private or an unassigned one. Joiners and variations, of which words and emoji are made, are not
    /// hidden.
    package var isHidden: Bool {
        guard !isJoiner else { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// The joiner and the non-joiner of letters, and the variations of a sign as text and as emoji.
    fileprivate var isJoiner: Bool { [0x200C, 0x200D, 0xFE0E, 0xFE0F].contains(value) }

    /// The line breaks of the Unicode Standard, section 5.8: LF, VT, FF, CR, NEL, and the separators of lines and
    /// paragraphs.
    fileprivate var isLineBreak: Bool { (0x0A...0x0D).contains(value) || [0x85, 0x2028, 0x2029].contains(value) }
}

extension String {
    /// The beginning of a text, in whole scalars.
    ///
    /// - Parameters:
    ///   - bytes: the length to which a longer text is cut; the result may be up to three bytes shorter.
    ///   - mark: the text that is appended if the text was cut.
    package func truncated(toBytes bytes: Int, mark: String) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        // The byte continues a scalar.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end]) + mark
    }
}
