import Model

/// A show with its listings, best first, and its extras.
struct Show {
    /// Never empty.
    var listings: [EventMatch]
    var extras: [Show] = []

    var best: EventMatch { listings[0] }

    var allEvents: [ConcertEvent] {
        listings.map(\.event) + extras.flatMap(\.allEvents)
    }

    /// The artists of all listings, best rank first.
    var artists: [RankedArtist] {
        var seen = Set<String>()
        return listings.flatMap(\.artists).sorted(by: RankedArtist.isBefore).filter { seen.insert($0.id).inserted }
    }
}

extension ShowGrouping {
    /// Two events that share a key are listings of the same show.
    private struct ListingKey: Hashable {
        /// An artist of the search, or else the headliner. Not both, because a festival may be the headliner of all its
        /// shows.
        var performer: String
        var venue: String
        var date: LocalDate
        /// Distinguishes a matinee from the evening show.
        var time: LocalTime?
        /// The kind and name of an extra, since a show has many extras; empty for a show.
        var extra: String
    }

    /// Merges the listings of each show. Events without a date are never merged, because they may be different shows.
    static func withoutDuplicates(_ found: [EventMatch]) -> [Show] {
        var sets = DisjointSets(count: found.count)
        var owners: [ListingKey: Int32] = [:]
        for (index, entry) in found.enumerated() {
            for key in keys(of: entry) {
                if let owner = owners[key] {
                    sets.unite(owner, Int32(index))
                } else {
                    owners[key] = Int32(index)
                }
            }
        }
        var shows: [Show] = []
        sets.forEachSet { members in
            let listings = members.map { found[Int($0)] }.sorted { left, right in
                left.event.id != right.event.id && left.event.preferred(to: right.event).id == left.event.id
            }
            shows.append(Show(listings: listings))
        }
        return shows
    }

    private static func keys(of found: EventMatch) -> [ListingKey] {
        guard let date = found.event.localDate else { return [] }
        let event = found.event
        let extra = event.kind == .show ? "" : "\(event.kind.rawValue) \(FoldedName(event.name).key)"
        let headliner = event.attractions.first.map { "attraction \($0.id)" } ?? "name \(FoldedName(event.name).key)"
        let performers = found.artists.isEmpty ? [headliner] : found.artists.map { "artist \($0.id)" }
        return performers.flatMap { performer in
            found.venues.map { venue in
                ListingKey(performer: performer, venue: venue, date: date, time: event.localTime, extra: extra)
            }
        }
    }
}
