import Accounts
import Concerts
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("The calendar file of a search")
struct CalendarRouteTests {
    @Test("With a city, it has only the shows in that city")
    func showsOfACity() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("ada")
            let ada = try #require(try await gateway.database.read { try $0.accounts.user(named: "ada") }).id
            let search = ConcertSearchRecord(
                id: UUIDv7.next(), userID: ada, kind: ConcertSearches.artistsKind, homeCity: nil, createdAt: .now())
            let date = LocalDate(dayNumber: Int(Timestamp.now().microseconds / 86_400_000_000) + 30)
            try await gateway.database.write { transaction in
                try transaction.concerts.insertSearch(search)
                try transaction.concerts.setSearchTarget(
                    SearchTargetRecord(rank: 1, artistID: "air", name: "Air", targetKey: "air", status: "complete"),
                    searchID: search.id)
                try transaction.concerts.storeAnswer(
                    targetKey: "air", status: "complete", warningCode: nil, attractionID: nil,
                    events: ["Prague", "Vienna"].map { city in
                        let venue = ConcertVenue(name: "Venue in \(city)", city: city)
                        let event = ConcertEvent(id: city, name: "Show", venue: venue, localDate: date)
                        return try StoredConcertEvent(event)
                    }, reach: .everything, now: .now())
            }
            try await gateway.withClient { client in
                func entries(_ query: String) async throws -> Set<String> {
                    let response = try await client.execute(
                        uri: "/v1/concert-searches/\(search.id).ics\(query)", method: .get, headers: headers)
                    #expect(response.status == .ok)
                    let lines = String(buffer: response.body).split(whereSeparator: \.isNewline)
                    return Set(lines.filter { $0.hasPrefix("UID:") }.map(String.init))
                }
                let (prague, vienna) = ("UID:ticketmaster-Prague@backline", "UID:ticketmaster-Vienna@backline")
                #expect(try await entries("") == [prague, vienna])
                #expect(try await entries("?city=Prague") == [prague])
                #expect(try await entries("?city=Vienna") == [vienna])
                // The second city has six grapheme clusters and 201 scalars.
                for city in ["%20", "Prague" + String(repeating: "%CC%81", count: 195)] {
                    let nowhere = try await client.execute(
                        uri: "/v1/concert-searches/\(search.id).ics?city=\(city)", method: .get, headers: headers)
                    #expect(nowhere.status == .unprocessableContent, "\(city)")
                }
            }
        }
    }
}
