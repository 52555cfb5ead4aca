import Model

/// Decides which of the tracks that carry an album's name are on that album.
///
/// Services write the artists of an album and of its tracks in different ways: "A & B" or "A, B", and guests are named
/// only on the track. So an artist text is treated as the set of names in it. A track is on the album if all artists of
/// the album are among the artists of the track or of its album artist.
///
/// A compilation by various artists has no artist in common with its tracks. Its tracks are those whose album artist is
/// "Various Artists" as well, and those without an album artist, for which the album's name alone decides. A track with
/// any other album artist is on a different album of the same name.
struct AlbumCredit: Sendable {
    private let names: Set<String>

    init(artist: String) {
        names = Self.names(in: artist)
    }

    func includes(artist: String, albumArtist: String?) -> Bool {
        let ofAlbum = albumArtist.map(Self.names(in:)) ?? []
        if isCollection { return ofAlbum.isEmpty || ofAlbum.isSubset(of: Self.collectionNames) }
        if names.isEmpty { return ofAlbum.isEmpty }
        return names.isSubset(of: Self.names(in: artist)) || names.isSubset(of: ofAlbum)
    }

    private var isCollection: Bool { !names.isEmpty && names.isSubset(of: Self.collectionNames) }

    /// What services call the artist of a compilation, in the languages that people use them in.
    private static let collectionNames: Set<String> = Set(
        [
            "Various Artists", "Various", "Verschiedene Interpreten", "Varios Artistas", "Vários Artistas",
            "Vários intérpretes", "Multi-interprètes", "Artistes divers", "Artisti Vari", "Diverse artiesten",
            "Blandade artister", "Různí interpreti", "Różni wykonawcy", "Çeşitli Sanatçılar", "Разные исполнители",
            "ヴァリアス・アーティスト", "群星", "여러 아티스트",
        ].map(SearchText.folded))

    /// The separators between several artists' names.
    private static let separators = [
        ", ", " & ", " + ", " / ", "; ", " x ", " and ", " with ", " feat. ", " feat ", " featuring ", " ft. ", " ft ",
    ]

    /// The folded names in an artist text.
    static func names(in text: String) -> Set<String> {
        var parts = [SearchText.folded(text).replacing("(", with: " ").replacing(")", with: " ")]
        for separator in separators {
            parts = parts.flatMap { $0.split(separator: separator).map(String.init) }
        }
        return Set(parts.map(SearchText.folded)).subtracting([""])
    }
}
