import Model

extension ShowGrouping {
    /// A show's name with one performer, one key of its place, and its date.
    private struct NameKey: Hashable {
        var name: String
        var performer: String
        var place: String
        var date: LocalDate
    }

    /// The same with the time at which it starts.
    private struct TimedKey: Hashable {
        var key: NameKey
        var time: LocalTime
    }

    /// The shows of a search, by name.
    private struct NamedShows {
        var names: Set<NameKey> = []
        /// Keyed by venue, and only for shows whose time is known.
        var times: Set<TimedKey> = []
    }

    /// Turns listings into extras when their name is a show's name with an addition, and the show has the same
    /// performer, place and day (``OfferName``).
    ///
    /// The provider's mapping only recognizes kinds by the words in its tables. An addition to the artist's bare name
    /// may be the name of a tour. So a listing with such an addition that starts at the show's time in the same hall is
    /// another listing of the show.
    static func withOffers(_ found: [EventMatch]) -> [EventMatch] {
        var shows = NamedShows()
        for entry in found where entry.event.kind == .show {
            let name = FoldedName(entry.event.name).key
            shows.names.formUnion(keys(of: entry, name: name, places: places(of: entry)))
            if let time = entry.event.localTime {
                shows.times.formUnion(
                    keys(of: entry, name: name, places: entry.venues).map { TimedKey(key: $0, time: time) })
            }
        }
        return found.map { entry in
            guard entry.event.kind == .show, isOffer(entry, around: shows) else { return entry }
            var offer = entry
            offer.event.kind = .upsell
            return offer
        }
    }

    private static func isOffer(_ entry: EventMatch, around shows: NamedShows) -> Bool {
        let name = OfferName(entry.event.name)
        let parts = name.parts + name.frontParts
        guard !parts.isEmpty else { return false }
        let performers = entry.event.attractions.map(\.name) + entry.artists.map(\.name)
        let bareNames = Set(performers.map { FoldedName($0).key })
        return parts.contains { part in
            guard keys(of: entry, name: part.show, places: places(of: entry)).contains(where: shows.names.contains),
                !ShowAddition.isBilling(part.offer, of: performers), !ShowAddition.isPerformance(part.offer),
                !ShowAddition.isNote(part.offer)
            else { return false }
            guard bareNames.contains(part.show) else { return true }
            return !ShowAddition.isTour(part.offer) && !isAtTime(of: part.show, entry, shows)
        }
    }

    /// Whether a show with this name starts in the listing's hall at the listing's time.
    private static func isAtTime(of name: String, _ entry: EventMatch, _ shows: NamedShows) -> Bool {
        guard let time = entry.event.localTime else { return false }
        return keys(of: entry, name: name, places: entry.venues).contains {
            shows.times.contains(TimedKey(key: $0, time: time))
        }
    }

    private static func places(of found: EventMatch) -> [String] {
        found.venues + (found.city.map { ["city \($0)"] } ?? [])
    }

    private static func keys(of found: EventMatch, name: String, places: [String]) -> [NameKey] {
        guard let date = found.day else { return [] }
        let performers =
            found.artists.isEmpty
            ? found.event.attractions.prefix(1).map { "attraction \($0.id)" } : found.artists.map { "artist \($0.id)" }
        return performers.flatMap { performer in
            places.map { NameKey(name: name, performer: performer, place: $0, date: date) }
        }
    }
}
