import Model

/// Groups the events of a search's targets into the rows of its result, one row per show.
///
/// 1. An event found through several artists becomes one event with all these artists.
/// 2. A listing whose name is a show's name with an addition becomes an extra; see `+Offers`.
/// 3. Listings of one show (same artist, venue, date and time) are merged; see `+Duplicates`.
/// 4. Extras are assigned to their shows; see `+Extras`.
/// 5. Cancelled and past shows are left out with their extras, and the others are sorted.
///
/// The result does not depend on the order of the input, and apart from sorting, the work is linear in the number of
/// events.
package struct ShowGrouping: Sendable {
    /// The events of one artist, or all events of an area.
    package struct Source: Sendable {
        package var artist: RankedArtist?
        /// The artist's attraction, if known, by which the artist's picture is found on a bill.
        package var attractionID: String?
        package var events: [ConcertEvent]

        package init(artist: RankedArtist?, attractionID: String? = nil, events: [ConcertEvent]) {
            self.artist = artist
            self.attractionID = attractionID
            self.events = events
        }
    }

    package struct Options: Sendable {
        package var includesCancelled: Bool
        /// Shows that ended before this day are left out; `nil` includes all.
        package var notBefore: LocalDate?
        package var cityNames: CityNames

        package init(
            includesCancelled: Bool = false, notBefore: LocalDate? = nil, cityNames: CityNames = .builtIn
        ) {
            self.includesCancelled = includesCancelled
            self.notBefore = notBefore
            self.cityNames = cityNames
        }
    }

    /// Ordered by the artist's rank, local date, time and id; unknown values come last.
    package let rows: [ShowRow]
    /// Cancelled and past events, and the extras of such shows.
    package let leftOut: [ConcertEvent]

    package init(_ sources: [Source], options: Options = Options()) {
        var places = VenueKeys(names: options.cityNames)
        let found = Self.merged(sources).map { EventMatch($0, &places) }
        let (current, past) = found.partitioned { !$0.event.isPast(options.notBefore) }
        let shows = Self.withoutDuplicates(Self.withOffers(current))
        let (main, extras) = shows.partitioned { $0.best.event.kind == .show }
        let hidden = { (show: Show) in show.best.event.status == .cancelled && !options.includesCancelled }

        let (joinable, cancelledExtras) = extras.partitioned { !hidden($0) }
        let (joined, alone) = Self.joining(joinable, to: main)
        let (visible, cancelled) = joined.partitioned { !hidden($0) }
        let attractions = Self.attractionIDs(sources)
        rows = (visible + alone).map { ShowRow($0, attractionIDs: attractions) }.sorted(by: ShowRow.isBefore)
        leftOut =
            (past.map(\.event) + (cancelled + cancelledExtras).flatMap(\.allEvents))
            .sorted { $0.id < $1.id }
    }

    private static func merged(_ sources: [Source]) -> [(event: ConcertEvent, artists: [RankedArtist])] {
        var found: [String: (event: ConcertEvent, artists: [String: RankedArtist])] = [:]
        for source in sources {
            for event in source.events {
                var entry = found[event.id] ?? (event, [:])
                // Copies of an event that were fetched at different times can differ. The choice must not depend on
                // their order.
                if entry.event != event { entry.event = entry.event.preferred(to: event) }
                if let artist = source.artist {
                    let known = entry.artists[artist.id] ?? artist
                    entry.artists[artist.id] = RankedArtist.isBefore(artist, known) ? artist : known
                }
                found[event.id] = entry
            }
        }
        return found.values
            .map { ($0.event, $0.artists.values.sorted(by: RankedArtist.isBefore)) }
            .sorted { $0.event.id < $1.event.id }
    }

    private static func attractionIDs(_ sources: [Source]) -> [String: String] {
        let pairs = sources.compactMap { source in
            source.artist.flatMap { artist in source.attractionID.map { (artist.id, $0) } }
        }
        return Dictionary(pairs, uniquingKeysWith: min)
    }
}

/// An event with the artists through which it was found, and the keys by which events are compared.
struct EventMatch {
    var event: ConcertEvent
    /// Best rank first.
    var artists: [RankedArtist]
    /// The city, folded; `nil` when unknown.
    var city: String?
    /// The venue by its id, and by its folded name and city: listings of one show by several sellers only share the
    /// latter.
    var venues: [String]

    init(_ found: (event: ConcertEvent, artists: [RankedArtist]), _ places: inout VenueKeys) {
        event = found.event
        artists = found.artists
        city = places.city(of: found.event)
        venues = places.venues(of: found.event)
    }

    /// The day of the event; for a postponed event without a new date, the original day.
    var day: LocalDate? { event.localDate ?? event.initialDate }
}

extension ConcertEvent {
    func isPast(_ day: LocalDate?) -> Bool {
        guard let day, let last = endDate ?? localDate else { return false }
        return last < day
    }

    /// The better of two listings: first one that takes place, then one by the sellers themselves before resale, then
    /// one with tickets, with a bill, with a shorter name, and with more details. A package is often a more expensive
    /// copy of its show with more details, so its longer name counts first.
    func preferred(to other: ConcertEvent) -> ConcertEvent {
        let (left, right) = (preference, other.preference)
        if left != right { return left.lexicographicallyPrecedes(right) ? self : other }
        if id != other.id { return id < other.id ? self : other }
        // Two copies of one event: any choice is fine that does not depend on the order.
        return String(describing: self) <= String(describing: other) ? self : other
    }

    private var preference: [Int] {
        let status =
            switch status {
            case .onsale: 0
            case .rescheduled: 1
            case .postponed: 2
            case .offsale, .other: 3
            case .cancelled: 4
            }
        return [
            self.status == .cancelled ? 1 : 0, isResale == true ? 1 : 0, status, ticketURL == nil ? 1 : 0,
            attractions.isEmpty ? 1 : 0, OfferName.additions(in: name), priceRange == nil ? 1 : 0,
            localTime == nil ? 1 : 0, -attractions.count, name.utf8.count,
        ]
    }
}

extension RankedArtist {
    static func isBefore(_ left: RankedArtist, _ right: RankedArtist) -> Bool {
        (left.rank, left.name, left.id) < (right.rank, right.name, right.id)
    }
}

extension Array {
    /// The elements that satisfy the condition, and the others, each in their original order.
    func partitioned(_ condition: (Element) -> Bool) -> ([Element], [Element]) {
        reduce(into: ([], [])) { parts, element in
            if condition(element) { parts.0.append(element) } else { parts.1.append(element) }
        }
    }
}
