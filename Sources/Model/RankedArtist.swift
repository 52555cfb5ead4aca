/// An artist in a person's list, or in a search.
package struct RankedArtist: Hashable, Sendable, Codable {
    package var id: String
    /// As the person wrote it.
    package var name: String
    /// 1 is the favourite.
    package var rank: Int

    package init(id: String, name: String, rank: Int) {
        self.id = id
        self.name = name
        self.rank = rank
    }
}
