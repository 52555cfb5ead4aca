import Model

/// Limits on what a file may contain, so that neither memory nor the database can be filled by what somebody writes
/// into it.
extension FileValues {
    /// The most songs for which a file may give ids or keys of its own. These stay in memory until the end of the file.
    static let mostSongs = 500_000
    static let hasTooManySongs = "a file may have at most \(mostSongs) songs; split it"
    private static let mostGenres = 20
    /// In bytes.
    private static let longestGenre = 100

    /// The length, in bytes, to which readers truncate texts before these are cleaned.
    static let longestText = 8_192
    private static let longestDescription = 4_000
    private static let longestAddress = 2_000
    /// The longest form of a time has 35 characters.
    private static let longestTime = 64

    static func moment(rfc3339 text: String) -> Timestamp? {
        text.utf8.count <= longestTime ? moment(Timestamp(rfc3339: text)) : nil
    }

    static func genres(_ texts: [String]) -> [String] {
        texts.lazy.map(\.onOneLine.withoutControls).filter { (1...longestGenre).contains($0.utf8.count) }
            .prefix(mostGenres).map(\.self)
    }

    /// - Returns: `nil` for a text that is too long, since a truncated address leads elsewhere.
    static func address(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= longestAddress ? $0.withoutControls : nil }
    }

    static func description(_ text: String) -> String {
        text.withoutControls.truncated(toBytes: longestDescription, mark: "…")
    }
}

extension FilePlaylist {
    /// In bytes. PostgreSQL's indexes accept at most 2,700.
    private static let longestKey = 500

    /// A key that a file gives, or its hash if it is too long.
    static func key(_ text: String) -> String {
        let text = text.withoutControls
        return text.utf8.count <= longestKey ? text : hashKey(of: [text])
    }

    var cleaned: FilePlaylist {
        var playlist = self
        (playlist.key, playlist.name) = (Self.key(key), FileValues.label(name))
        playlist.description = description.map(FileValues.description)
        if playlist.name.isEmpty { playlist.name = "Untitled playlist" }
        if playlist.key.isEmpty {
            playlist.key = Self.hashKey(of: ["", playlist.name] + playlist.entries.map { $0.key ?? $0.title ?? "" })
        }
        return playlist
    }
}
