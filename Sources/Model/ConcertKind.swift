/// What an event at Ticketmaster sells: the show itself, or an extra.
package enum ConcertKind: String, Hashable, Sendable, CaseIterable {
    case show
    case vip
    case parking
    case baggage
    /// Any other extra: upgrades, merchandise, transport, hospitality.
    case upsell
    /// One day of an event that lasts several days.
    case dayPass
    /// Several days of a festival, or all of it.
    case festivalPass
}

extension ConcertKind: Codable {
    /// A kind that only a later version knows is read as ``upsell``.
    package init(from decoder: any Decoder) throws {
        self = ConcertKind(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .upsell
    }
}
