/// A set of artists, identified by name as songs credit them.
package struct CreditedArtists: Sendable {
    private let letters: Set<String>

    /// - Parameter names: each names one artist, or several as services write them: `A & B`.
    package init(_ names: [String]) {
        letters = Set(names.flatMap { ArtistList($0).main.map(\.letters) })
    }

    /// Whether a song credits any of them, as a main artist or as a guest.
    package func areCredited(on song: IdentityProfile) -> Bool {
        !letters.isEmpty && song.credited.contains { letters.contains($0.letters) }
    }
}

extension IdentityProfile {
    /// The main artists, in a form in which different spellings of a name are equal.
    package var mainArtists: [String] { artists.map(\.letters) }
}
