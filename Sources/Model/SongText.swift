import Foundation

/// What is kept of texts of songs from outside, whether they come in files or over the API: one line, without control
/// characters, cut at a length. The time that comparing texts takes grows with them, and they are in every page of a
/// list.
package enum SongText {
    /// Of titles, and of names of artists and albums, in bytes.
    private static let longestName = 2_000
    /// Of names of programs, in bytes.
    private static let longestProgram = 100
    /// Of ids at services, in bytes.
    private static let longestID = 100

    /// A title, or a name of an artist, an album or a playlist: line breaks become blanks.
    package static func name(_ text: String) -> String {
        text.onOneLine.withoutControls.truncated(toBytes: longestName, mark: "…")
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
    /// With one blank for each run of line breaks and the blanks around it.
    fileprivate var onOneLine: String {
        guard unicodeScalars.contains(where: \.isLineBreak) else { return self }
        let lines = unicodeScalars.split(whereSeparator: \.isLineBreak)
        return lines.map { String(String.UnicodeScalarView($0)).trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Without control characters, but tabs and ends of lines. PostgreSQL takes no NUL, and no reader of files does.
    package var withoutControls: String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value < 0x20 && ![0x09, 0x0A, 0x0D].contains(scalar.value) || (0x7F...0x9F).contains(scalar.value)
        }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter { !isControl($0) }))
    }
}

extension Unicode.Scalar {
    /// Of the Unicode Standard, section 5.8: LF, VT, FF, CR, NEL, and the separators of lines and paragraphs.
    fileprivate var isLineBreak: Bool { (0x0A...0x0D).contains(value) || [0x85, 0x2028, 0x2029].contains(value) }
}

extension String {
    /// The beginning of a text, in whole scalars.
    ///
    /// - Parameters:
    ///   - bytes: as many of it as are left of a longer text, or up to three fewer.
    ///   - mark: follows what is left.
    package func truncated(toBytes bytes: Int, mark: String) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        // A byte that continues a scalar.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end]) + mark
    }
}
