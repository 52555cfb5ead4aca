import Model

/// The artist whose tracks or albums a list shows.
///
/// Guests and duos share one text with others: "Air" is one of the artists in "Air & Beth Hirsch", but not in "Fairport
/// Convention". So an artist text is treated as the set of names in it (``AlbumCredit``), and whole names must be
/// equal, folded as in searches. "Simon & Garfunkel" matches texts that contain both names.
package struct ArtistFilter: Sendable {
    private let names: Set<String>
    /// A search that every matching text satisfies.
    let search: SearchQuery

    /// - Returns: `nil` if the text contains no name.
    package init?(_ artist: String) {
        names = AlbumCredit.names(in: artist)
        // The longest name occurs in the fewest texts. Ties are broken by the name itself, so that all pages use the
        // same one.
        let longest = names.max { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        guard let search = longest.flatMap({ SearchQuery($0) }) else { return nil }
        self.search = search
    }

    func includes(artist: String) -> Bool {
        names.isSubset(of: AlbumCredit.names(in: artist))
    }
}
