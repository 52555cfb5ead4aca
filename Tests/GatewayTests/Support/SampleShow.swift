import Model

@testable import Concerts

extension ConcertListItem {
    /// A show with little more than the fields that determine its order.
    static func sample(
        _ id: String, rank: Int? = 1, date: String? = "2026-11-20", time: String? = "20:00"
    ) -> ConcertListItem {
        ConcertListItem(
            id: id, name: "Show \(id)", artistName: "Air", artistRank: rank, artistImageURL: nil, additionalArtists: [],
            venueName: nil, venueAddress: nil, city: nil, countryCode: nil, localDate: date.flatMap { LocalDate($0) },
            localTime: time.flatMap { LocalTime($0) }, timeTBA: time == nil, dateTBA: date == nil, status: .onsale,
            isHomeCity: false, priceRange: nil, ticketURL: nil, extras: [])
    }
}
