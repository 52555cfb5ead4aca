import Model

/// Makes the rows of a result from the events that a search's artists brought: one row a show.
///
/// 1. An event found through several artists becomes one, with all of them.
/// 2. A listing whose name goes on after a show's is an offer around that; see `+Offers`.
/// 3. Listings of one show (same artist, venue, date and time) become one; see `+Duplicates`.
/// 4. What is sold around a show goes to its show; see `+Extras`.
/// 5. Cancelled shows and past ones are left out, with what belongs to them; the rest is sorted.
///
/// The result does not depend on the order of the input, and the work grows with the number
/// of events, not with its square.
package struct ShowGrouping: Sendable {
    /// The events of one artist, or of nobody in particular (all events of a city).
    package struct Source: Sendable {
        package var artist: RankedArtist?
        /// The artist's attraction, when known: tells which of a bill's pictures is the artist's.
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
        /// Shows that ended before this day are left out; `nil` keeps all.
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

    /// In the order of the result: artist rank, local date, time, id; unknown values last.
    package let rows: [ShowRow]
    /// Cancelled and past events, and extras of such shows.
    package let leftOut: [ConcertEvent]

    package init(_ sources: [Source], options: Options = Options()) {
        var places = PlaceKeys(names: options.cityNames)
        let found = Self.merged(sources).map { FoundEvent($0, &places) }
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
                // Copies fetched at different times can differ: the choice must not follow their order.
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

/// An event with the artists it was found through, and the keys that it is joined by.
struct FoundEvent {
    var event: ConcertEvent
    /// Best rank first.
    var artists: [RankedArtist]
    /// The city, folded; `nil` when unknown.
    var city: String?
    /// The venue by id, and by folded name and city: cross-listed shows share only the latter.
    var venues: [String]

    init(_ found: (event: ConcertEvent, artists: [RankedArtist]), _ places: inout PlaceKeys) {
        event = found.event
        artists = found.artists
        city = places.city(of: found.event)
        venues = places.venues(of: found.event)
    }

    /// The day the event takes place, or was to take place before it was postponed.
    var day: LocalDate? { event.localDate ?? event.initialDate }
}

/// Folds names of cities and venues, each only once.
struct PlaceKeys {
    private let names: CityNames
    private var cities: [String: String?] = [:]
    private var venueNames: [String: String] = [:]

    init(names: CityNames) {
        self.names = names
    }

    mutating func city(of event: ConcertEvent) -> String? {
        guard let city = event.venue?.city else { return nil }
        if let known = cities[city] { return known }
        let key = names.key(for: city)
        cities[city] = .some(key)
        return key
    }

    mutating func venues(of event: ConcertEvent) -> [String] {
        var keys: [String] = []
        if let id = event.venue?.id { keys.append("id \(id)") }
        if let name = event.venue?.name {
            let folded = venueNames[name] ?? FoldedName(name).key
            venueNames[name] = folded
            keys.append("name \(folded) in \(city(of: event) ?? "")")
        }
        return keys
    }
}

extension ConcertEvent {
    func isPast(_ day: LocalDate?) -> Bool {
        guard let day, let last = endDate ?? localDate else { return false }
        return last < day
    }

    /// The listing to show of two: one that takes place, that can be bought, that tells more.
    func preferred(to other: ConcertEvent) -> ConcertEvent {
        let (left, right) = (preference, other.preference)
        if left != right { return left.lexicographicallyPrecedes(right) ? self : other }
        if id != other.id { return id < other.id ? self : other }
        // Two copies of one event: any fixed choice will do.
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
            status, ticketURL == nil ? 1 : 0, priceRange == nil ? 1 : 0, localTime == nil ? 1 : 0,
            -attractions.count,
        ]
    }
}

extension RankedArtist {
    static func isBefore(_ left: RankedArtist, _ right: RankedArtist) -> Bool {
        (left.rank, left.name, left.id) < (right.rank, right.name, right.id)
    }
}

extension Array {
    /// Those that satisfy the condition and those that do not, each in their order.
    func partitioned(_ condition: (Element) -> Bool) -> ([Element], [Element]) {
        reduce(into: ([], [])) { parts, element in
            if condition(element) { parts.0.append(element) } else { parts.1.append(element) }
        }
    }
}
