import Concerts
import Foundation
import Model
import Testing

@Suite("Rows in the API")
struct ConcertListItemTests {
    private func json(_ item: ConcertListItem) throws -> [String: Any] {
        let data = try JSONEncoder().encode(item)
        #expect(try JSONDecoder().decode(ConcertListItem.self, from: data) == item)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func item(
        _ event: ConcertEvent, _ more: ConcertEvent..., homeCity: String? = nil
    ) throws -> ConcertListItem {
        let grouping = ShowGrouping([
            ShowGrouping.Source(
                artist: RankedArtist(id: "1", name: "Air", rank: 3), attractionID: "K2", events: [event] + more)
        ])
        return ConcertListItem(try #require(grouping.rows.first), homeCity: homeCity.flatMap { HomeCity($0) })
    }

    private static let keys: Set = [
        "id", "name", "artistName", "artistRank", "artistImageURL", "additionalArtists", "venueName", "venueAddress",
        "city", "countryCode", "localDate", "localTime", "endDate", "timeTBA", "dateTBA", "status", "isHomeCity",
        "priceRange", "ticketURL", "extras",
    ]

    @Test("All fields are present, with null for unknown values")
    func unknownFields() throws {
        let fields = try json(try item(ConcertEvent(id: "G5v", name: "Air")))
        #expect(Set(fields.keys) == Self.keys)
        let null = Set(fields.filter { $0.value is NSNull }.keys)
        #expect(
            null == [
                "artistImageURL", "venueName", "venueAddress", "city", "countryCode", "localDate", "localTime",
                "endDate", "priceRange", "ticketURL",
            ])
        #expect(fields["isHomeCity"] as? Bool == false)
    }

    @Test("Known fields have their values")
    func knownFields() throws {
        var show = ConcertEvent(
            id: "G5v", name: "Air: Moon Safari",
            attractions: [
                .init(id: "K1", name: "Phoenix", imageURL: "https://i/phoenix"),
                .init(id: "K2", name: "AIR (FR)", imageURL: "https://i/air"),
            ],
            venue: ConcertVenue(name: "O2 arena", address: "Českomoravská 17", city: "Praha 9", countryCode: "CZ"),
            localDate: LocalDate("2027-06-04"), localTime: LocalTime("20:00"), status: .rescheduled,
            priceRange: .init(minimum: 990, maximum: 2_490, currency: "CZK"), ticketURL: "https://t/1",
            imageURL: "https://i/event")
        var parking = show
        (parking.id, parking.name, parking.kind, parking.ticketURL) = ("P", "Parking", .parking, nil)
        let fields = try json(try item(show, parking, homeCity: "prague"))
        #expect(Set(fields.keys) == Self.keys)
        #expect(fields["artistName"] as? String == "Air")
        #expect(fields["artistRank"] as? Int == 3)
        #expect(fields["artistImageURL"] as? String == "https://i/air")
        #expect(fields["localDate"] as? String == "2027-06-04")
        #expect(fields["localTime"] as? String == "20:00:00")
        #expect(fields["status"] as? String == "rescheduled")
        #expect(fields["isHomeCity"] as? Bool == true)
        #expect(fields["priceRange"] as? String == "CZK 990–2490")
        let extras = try #require(fields["extras"] as? [[String: Any]])
        #expect(extras.count == 1)
        #expect(extras.first?["kind"] as? String == "parking")
        #expect(extras.first?["ticketURL"] is NSNull)

        show.attractions = []
        #expect(try item(show).artistImageURL == "https://i/event")
    }

    @Test(
        "Prices are written with the currency first",
        arguments: [
            (80.0, 80.0, "USD 80"), (77.69, 88.34, "USD 77.69–88.34"), (49.5, 60, "USD 49.50–60.00"), (0, 0, "USD 0"),
            (19.999, 20.001, "USD 20.00–20.00"),
        ])
    func formattedPrices(minimum: Double, maximum: Double, expected: String) throws {
        var event = ConcertEvent(id: "1", name: "Air")
        event.priceRange = .init(minimum: minimum, maximum: maximum, currency: "USD")
        #expect(try item(event).priceRange == expected)
    }
}
