/// A track as one service describes it. Every field except the first four may be missing.
package struct SourceTrack: Codable, Sendable, Hashable {
    /// The id in the service's library; for a playlist entry that is not in the library, the id in the catalog.
    package var sourceID: String
    package var title: String
    package var artist: String
    /// The album's title; empty if the service gives none.
    package var album: String
    /// Apple Music's catalog id, which differs between storefronts (``storefront``).
    package var catalogID: String?
    /// The country whose catalog has ``catalogID``, such as `de`.
    package var storefront: String?
    package var albumArtist: String?
    package var composer: String?
    package var genres: [String] = []
    package var durationMs: Int?
    /// The ISRC: twelve letters and digits in upper case (``ISRC``).
    package var isrc: String?
    /// Whether the lyrics are explicit; `nil` if the service does not report it.
    package var isExplicit: Bool?
    package var discNumber: Int?
    package var trackNumber: Int?
    package var releaseDate: ReleaseDate?
    /// A picture's address; Apple Music's may have the placeholders `{w}` and `{h}`.
    package var artworkURL: String?
    /// When it was saved; `nil` for a track that is not saved, and if the service does not report it.
    package var addedAt: Timestamp?

    // Only from Spotify.

    /// The popularity, from 0 to 100.
    package var popularity: Int?
    package var previewURL: String?

    // Only from Apple Music. Its web API has none of these; imports may have them.

    package var playCount: Int?
    package var lastPlayedAt: Timestamp?
    /// The person's rating, from 0 to 100.
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
    /// The code in its compact form, in upper case without hyphens and spaces; `nil` for a text that is not an ISRC.
    package static func normalized(_ text: String) -> String? {
        func isCode(_ text: String) -> Bool {
            text.utf8.count == 12
                && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        }
        // Services write the compact form, and examining the characters takes longer.
        if isCode(text) { return text }
        let code = text.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        return isCode(code) ? code : nil
    }
}
