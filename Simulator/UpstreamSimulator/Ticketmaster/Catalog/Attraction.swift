/// Ticketmaster's word for what people come for: an artist, a show, a team.
package struct Attraction: Sendable {
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Has `externalLinks`, like the entries that Ticketmaster's editors maintain.
        static let linked = Traits(rawValue: 1)
        /// Has pictures of its own, not those of its segment.
        static let pictured = Traits(rawValue: 2)
        /// `upcomingEvents` is missing, as in older records.
        static let uncounted = Traits(rawValue: 4)
    }

    package var id: String
    package var name: String
    package var classification: Classification?
    package var traits: Traits
    package var aliases: [String] = []
}
