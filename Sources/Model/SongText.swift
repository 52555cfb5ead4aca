/// The lengths at which texts of songs from outside are cut. The time that comparing texts takes grows with them, and
/// they are in every page of a list.
package enum SongText {
    /// Of titles, and of names of artists and albums, in bytes.
    private static let longestName = 2_000
    /// Of names of programs, in bytes.
    private static let longestProgram = 100
    /// Of ids at services, in bytes.
    private static let longestID = 100

    /// A title, or a name of an artist or an album.
    package static func name(_ text: String) -> String { text.truncated(toBytes: longestName, mark: "…") }

    /// The name of a program.
    package static func program(_ text: String) -> String { text.truncated(toBytes: longestProgram, mark: "") }

    /// An id at a service.
    ///
    /// - Returns: `nil` for an empty text, and for one that is too long to be an id.
    package static func id(_ text: String) -> String? {
        text.isEmpty || text.utf8.count > longestID ? nil : text
    }

    /// An ISRC in upper case, as sources write it, with or without hyphens.
    ///
    /// - Returns: `nil` for an empty text, and for one that is too long to be an ISRC.
    package static func isrc(_ text: String) -> String? { id(text)?.uppercased() }
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
