import Model

extension ShowGrouping {
    /// A show's name with one performer, one key of its place, and its date.
    private struct NameKey: Hashable {
        var name: String
        var performer: String
        var place: String
        var date: LocalDate
    }

    /// Turns listings into extras when their name is a show's name with an addition and the show has the same
    /// performer, place and day (``OfferName``).
    ///
    /// The provider's mapping recognises kinds by fixed phrases only.
    static func withOffers(_ found: [FoundEvent]) -> [FoundEvent] {
        let shows = Set(
            found.filter { $0.event.kind == .show }.flatMap { keys(of: $0, name: FoldedName($0.event.name).key) })
        return found.map { entry in
            guard entry.event.kind == .show, isOffer(entry, around: shows) else { return entry }
            var offer = entry
            offer.event.kind = .upsell
            return offer
        }
    }

    private static func isOffer(_ entry: FoundEvent, around shows: Set<NameKey>) -> Bool {
        let performers = entry.event.attractions.map(\.name) + entry.artists.map(\.name)
        return OfferName(entry.event.name).parts.contains { part in
            !OfferName.isBilling(part.offer, of: performers) && !OfferName.isPerformance(part.offer)
                && keys(of: entry, name: part.show).contains(where: shows.contains)
        }
    }

    private static func keys(of found: FoundEvent, name: String) -> [NameKey] {
        guard let date = found.day else { return [] }
        let places = found.venues + (found.city.map { ["city \($0)"] } ?? [])
        let performers =
            found.artists.isEmpty
            ? found.event.attractions.prefix(1).map { "attraction \($0.id)" } : found.artists.map { "artist \($0.id)" }
        return performers.flatMap { performer in
            places.map { NameKey(name: name, performer: performer, place: $0, date: date) }
        }
    }
}
