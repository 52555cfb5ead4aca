import Model

/// A show of the result: its best listing, its other listings and its extras.
package struct ShowRow: Hashable, Sendable {
    package var event: ConcertEvent
    /// Other listings of the same show.
    package var duplicates: [ConcertEvent]
    /// Extras by kind and name.
    package var extras: [ConcertEvent]
    /// Other listings of the extras.
    package var duplicateExtras: [ConcertEvent]
    /// The search's artists who play, best rank first; empty for an area.
    package var artists: [RankedArtist]
    /// All performers on the bills of the listings. Sellers usually list the headliner first.
    var bill: [ConcertEvent.Performer]
    /// The known attractions of `artists`, keyed by the artist's id.
    var attractionIDs: [String: String]

    init(_ show: Show, attractionIDs: [String: String]) {
        event = show.best.event
        duplicates = show.listings.dropFirst().map(\.event)
        extras = show.extras.map(\.best.event).sorted { left, right in
            (left.kind.rawValue, left.name, left.id) < (right.kind.rawValue, right.name, right.id)
        }
        duplicateExtras = show.extras.flatMap { $0.listings.dropFirst().map(\.event) }
        artists = show.artists
        var seen = Set<String>()
        bill = show.listings.flatMap(\.event.attractions).filter { seen.insert($0.id).inserted }
        let played = Set(artists.map(\.id))
        self.attractionIDs = attractionIDs.filter { played.contains($0.key) }
    }

    /// The order of the result: rank, date, time and id, unknown values last.
    static func isBefore(_ left: ShowRow, _ right: ShowRow) -> Bool {
        func key(_ row: ShowRow) -> (Int, Int, Int, String) {
            (
                row.artists.first?.rank ?? .max, row.event.localDate?.dayNumber ?? .max,
                row.event.localTime?.secondOfDay ?? .max, row.event.id
            )
        }
        return key(left) < key(right)
    }
}

extension ConcertListItem {
    /// - Parameter homeCity: the city whose shows are marked.
    package init(_ row: ShowRow, homeCity: HomeCity? = nil, cityNames: CityNames = .builtIn) {
        let event = row.event
        let venue = event.venue
        self.init(
            id: event.id,
            name: event.name,
            artistName: row.artistName,
            artistRank: row.artists.first?.rank,
            artistImageURL: row.artistImageURL,
            additionalArtists: row.additionalArtists,
            venueName: venue?.name,
            venueAddress: venue?.address,
            city: venue?.city,
            countryCode: venue?.countryCode,
            localDate: event.localDate,
            localTime: event.localTime,
            endDate: event.endDate,
            timeTBA: event.timeTBA,
            dateTBA: event.dateTBA,
            status: event.status,
            isHomeCity: venue.map { homeCity?.matches($0, names: cityNames) ?? false } ?? false,
            priceRange: event.priceRange?.text,
            ticketURL: event.ticketURL,
            extras: row.offers,
            calendar: Calendar(
                startsAt: event.startsAt, endsAt: event.endsAt, history: event.history, timeZone: venue?.timezone))
    }
}

extension ShowRow {
    /// The picture of the best-ranked artist, or else the event's.
    fileprivate var artistImageURL: String? {
        let bill = event.attractions
        let performer =
            artists.first.flatMap { artist in bill.first { $0.id == attractionIDs[artist.id] } }
            ?? artists.first.flatMap { artist in
                let name = FoldedName(artist.name)
                return bill.first { FoldedName($0.name) == name }
            }
            ?? (artists.isEmpty ? bill.first : nil)
        return performer?.imageURL ?? event.imageURL
    }

    fileprivate var artistName: String { artists.first?.name ?? event.attractions.first?.name ?? event.name }

    /// All performers except the one in `artistName`: the search's artists by rank, then the rest of the bill.
    fileprivate var additionalArtists: [String] {
        let searched = Set(attractionIDs.values)
        var seen: Set = [FoldedName(artistName)]
        let others = bill.filter { !searched.contains($0.id) }
        return (artists.map(\.name) + others.map(\.name)).filter { seen.insert(FoldedName($0)).inserted }
    }

    /// The extras, their other listings and the show's other listings, whose names and links are in no other row. A
    /// listing with the same name, kind and link as an earlier one is left out.
    fileprivate var offers: [ConcertListItem.Extra] {
        var seen: Set = [ConcertListItem.Extra(name: event.name, kind: .show, ticketURL: event.ticketURL)]
        return (extras + duplicateExtras + duplicates).compactMap { listing in
            let name = OfferName(listing.name).offer(around: event.name) ?? listing.name
            let offer = ConcertListItem.Extra(name: name, kind: listing.kind, ticketURL: listing.ticketURL)
            return seen.insert(offer).inserted ? offer : nil
        }
    }
}

extension ConcertEvent.PriceRange {
    /// Formatted like `USD 80` or `AUD 77.69–88.34`. Whole amounts have no decimals.
    var text: String {
        let isWhole = [minimum, maximum].allSatisfy { $0 == $0.rounded() }
        func amount(_ value: Double) -> String {
            let hundredths = Int((min(value, 1e12) * 100).rounded())
            let decimals = hundredths % 100
            return isWhole ? "\(hundredths / 100)" : "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
        }
        return minimum == maximum
            ? "\(currency) \(amount(minimum))" : "\(currency) \(amount(minimum))–\(amount(maximum))"
    }
}
