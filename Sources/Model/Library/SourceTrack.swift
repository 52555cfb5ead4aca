/// A track as one service describes it. Every field but the first four may be missing.
package struct SourceTrack: Codable, Sendable, Hashable {
    /// The id in the service's library; for an entry of a playlist that is not in the library, the catalog's.
    package var sourceID: String
    package var title: String
    package var artist: String
    /// Empty where the service names none.
    package var album: String
    /// Apple Music's catalog id, which differs between storefronts (``storefront``).
    package var catalogID: String?
    /// The country whose catalog has ``catalogID``, such as `de`.
    package var storefront: String?
    package var albumArtist: String?
    package var composer: String?
    package var genres: [String] = []
    package var durationMs: Int?
    /// Twelve letters and digits in upper case (``ISRC``).
    package var isrc: String?
    /// `nil` where the service does not tell.
    package var isExplicit: Bool?
    package var discNumber: Int?
    package var trackNumber: Int?
    package var releaseDate: ReleaseDate?
    /// A picture's address; Apple Music's may have the placeholders `{w}` and `{h}`.
    package var artworkURL: String?
    /// When it was saved; `nil` for a track that is not saved, and where the service does not tell.
    package var addedAt: Timestamp?

    // Spotify alone.

    /// From 0 to 100.
    package var popularity: Int?
    package var previewURL: String?

    // Apple Music alone. Its web API has none of these; imports may.

    package var playCount: Int?
    package var lastPlayedAt: Timestamp?
    /// From 0 to 100.
    package var rating: Int?

    package init(sourceID: String, title: String, artist: String, album: String) {
        self.sourceID = sourceID
        self.title = title
        self.artist = artist
        self.album = album
    }
}

/// International Standard Recording Codes (ISO 3901).
package enum ISRC {
    /// The code in its compact form, in upper case without hyphens and spaces; `nil` for a text that is no code.
    package static func normalized(_ text: String) -> String? {
        func isCode(_ text: String) -> Bool {
            text.utf8.count == 12
                && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        }
        // Services write the compact form, and looking at characters takes longer.
        if isCode(text) { return text }
        let code = text.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        return isCode(code) ? code : nil
    }
}
