import Model

/// The artist whose tracks or albums a list shows.
///
/// Guests and duos are named in one text with others: "Air" is an artist of "Air & Beth Hirsch", and is not one of
/// "Fairport Convention". So a text of artists counts as the set of names in it (``AlbumCredit``), and names have to be
/// equal as wholes, folded as searches are. "Simon & Garfunkel" asks for texts that have both names.
package struct ArtistFilter: Sendable {
    private let names: Set<String>
    /// Part of every text that passes.
    let search: SearchQuery

    /// - Returns: `nil` for a text without a name.
    package init?(_ artist: String) {
        names = AlbumCredit.names(in: artist)
        // The longest name is part of the fewest texts. Of equally long ones always the same, so that pages agree.
        let longest = names.max { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        guard let search = longest.flatMap({ SearchQuery($0) }) else { return nil }
        self.search = search
    }

    func includes(artist: String) -> Bool {
        names.isSubset(of: AlbumCredit.names(in: artist))
    }
}
