/// An artist in a person's list or in a search.
package struct RankedArtist: Hashable, Sendable, Codable {
    package var id: String
    /// The name as the person entered it.
    package var name: String
    /// The place in the list, from 1 for the favourite.
    package var rank: Int

    package init(id: String, name: String, rank: Int) {
        self.id = id
        self.name = name
        self.rank = rank
    }
}
