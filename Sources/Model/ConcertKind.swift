/// What one of Ticketmaster's events sells: the show itself, or something that goes with it.
package enum ConcertKind: String, Hashable, Sendable, CaseIterable {
    case show
    case vip
    case parking
    case baggage
    /// Anything else sold on top: upgrades, merchandise, transport, hospitality.
    case upsell
    /// One day of an event of several.
    case dayPass
    /// Several days, or the whole of a festival.
    case festivalPass
}

extension ConcertKind: Codable {
    /// A kind that a later version stored reads as ``upsell``: everything but a show goes with one.
    package init(from decoder: any Decoder) throws {
        self = ConcertKind(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .upsell
    }
}
