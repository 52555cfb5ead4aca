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
    /// - Parameter mark: follows what is left of a longer text.
    package func truncated(toBytes bytes: Int, mark: String) -> String {
        guard utf8.count > bytes else { return self }
        return String(decoding: utf8.prefix(bytes), as: UTF8.self).prefix { $0 != "\u{FFFD}" } + mark
    }
}
