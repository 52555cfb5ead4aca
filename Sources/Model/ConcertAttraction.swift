/// An artist at Ticketmaster (an attraction in its terms), with the fields that distinguish artists of the same name.
package struct ConcertAttraction: Hashable, Sendable, Codable {
    /// Ticketmaster's id, case-sensitive.
    package var id: String
    package var name: String
    package var aliases: [String]
    package var imageURL: String?
    /// The segment, such as `Music`; `nil` when Ticketmaster has "Undefined".
    package var segment: String?
    package var genre: String?
    package var spotifyIDs: [String]
    package var musicBrainzIDs: [String]
    /// The number of kinds of external links (Spotify, a homepage, YouTube …).
    package var externalLinkCount: Int
    package var upcomingEventCount: Int?

    package init(
        id: String, name: String, aliases: [String] = [], imageURL: String? = nil, segment: String? = nil,
        genre: String? = nil, spotifyIDs: [String] = [], musicBrainzIDs: [String] = [], externalLinkCount: Int = 0,
        upcomingEventCount: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.aliases = aliases
        self.imageURL = imageURL
        self.segment = segment
        self.genre = genre
        self.spotifyIDs = spotifyIDs
        self.musicBrainzIDs = musicBrainzIDs
        self.externalLinkCount = externalLinkCount
        self.upcomingEventCount = upcomingEventCount
    }
}
