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
        var owners: [ListingKey: Int] = [:]
        for (index, entry) in found.enumerated() {
            for key in keys(of: entry) {
                if let owner = owners[key] {
                    sets.join(owner, index)
                } else {
                    owners[key] = index
                }
            }
        }
        let groups = Dictionary(grouping: found.indices) { sets.representative(of: $0) }
        return groups.keys.sorted().map { representative in
            Show(
                listings: groups[representative, default: []].map { found[$0] }.sorted { left, right in
                    left.event.id != right.event.id && left.event.preferred(to: right.event).id == left.event.id
                })
        }
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

/// Disjoint sets of indices (union-find).
private struct DisjointSets {
    private var parents: [Int]

    init(count: Int) {
        parents = Array(0..<count)
    }

    /// The smallest index in the set.
    mutating func representative(of index: Int) -> Int {
        var root = index
        while parents[root] != root { root = parents[root] }
        var next = index
        while parents[next] != root { (next, parents[next]) = (parents[next], root) }
        return root
    }

    mutating func join(_ left: Int, _ right: Int) {
        let (left, right) = (representative(of: left), representative(of: right))
        parents[max(left, right)] = min(left, right)
    }
}
