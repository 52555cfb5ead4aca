import Model

/// A show in the result: the event that stands for it and what was merged into it.
package struct ShowRow: Hashable, Sendable {
    package var event: ConcertEvent
    /// Other listings of the same show.
    package var duplicates: [ConcertEvent]
    /// What is sold around the show, by kind and name.
    package var extras: [ConcertEvent]
    /// Other listings of the extras.
    package var duplicateExtras: [ConcertEvent]
    /// The search's artists that play, best rank first; empty when nobody was asked for.
    package var artists: [RankedArtist]
    /// The best artist's attraction, when known.
    var attractionID: String?

    init(_ show: Show, attractionIDs: [String: String]) {
        event = show.best.event
        duplicates = show.listings.dropFirst().map(\.event)
        extras = show.extras.map(\.best.event).sorted { left, right in
            (left.kind.rawValue, left.name, left.id) < (right.kind.rawValue, right.name, right.id)
        }
        duplicateExtras = show.extras.flatMap { $0.listings.dropFirst().map(\.event) }
        artists = show.artists
        attractionID = artists.first.flatMap { attractionIDs[$0.id] }
    }

    /// The order of the result: rank, date, time, id, unknown values last.
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
    /// - Parameter homeCity: marks the rows in that city; nothing is marked without one.
    package init(_ row: ShowRow, homeCity: HomeCity? = nil, cityNames: CityNames = .builtIn) {
        let event = row.event
        let venue = event.venue
        self.init(
            id: event.id,
            name: event.name,
            artistName: row.artists.first?.name ?? event.attractions.first?.name ?? event.name,
            artistRank: row.artists.first?.rank,
            artistImageURL: row.artistImageURL,
            additionalArtists: row.artists.dropFirst().map(\.name),
            venueName: venue?.name,
            venueAddress: venue?.address,
            city: venue?.city,
            countryCode: venue?.countryCode,
            localDate: event.localDate,
            localTime: event.localTime,
            timeTBA: event.timeTBA,
            dateTBA: event.dateTBA,
            status: event.status,
            isHomeCity: venue.map { homeCity?.matches($0, names: cityNames) ?? false } ?? false,
            priceRange: event.priceRange?.text,
            ticketURL: event.ticketURL,
            extras: row.extras.map { Extra(name: $0.name, kind: $0.kind, ticketURL: $0.ticketURL) })
    }
}

extension ShowRow {
    /// The best artist's picture; the event's own where the artist has none or is not on the bill.
    fileprivate var artistImageURL: String? {
        let bill = event.attractions
        let performer =
            bill.first { $0.id == attractionID }
            ?? artists.first.flatMap { artist in
                let name = FoldedName(artist.name)
                return bill.first { FoldedName($0.name) == name }
            }
            ?? (artists.isEmpty ? bill.first : nil)
        return performer?.imageURL ?? event.imageURL
    }
}

extension ConcertEvent.PriceRange {
    /// `USD 80`, `AUD 77.69–88.34`: whole amounts without decimals, as ticket sellers write them.
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
