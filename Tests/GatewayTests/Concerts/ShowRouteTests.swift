import Accounts
import Concerts
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("The page of a concert")
struct ShowRouteTests {
    private static let day = LocalDate(dayNumber: Int(Timestamp.now().microseconds / 86_400_000_000) + 30)

    private static func event(
        _ status: ConcertStatus = .onsale, day: LocalDate? = day, location: GeoPoint? = nil, id: String = "G5v-1"
    ) -> ConcertEvent {
        ConcertEvent(
            id: id, name: "World Tour", attractions: [.init(id: "K1", name: "Air"), .init(id: "K2", name: "Moby")],
            venue: ConcertVenue(
                id: "V1", name: "Arena", address: "Street 1", city: "Prague", country: "Czech Republic",
                countryCode: "CZ", location: location, timezone: "Europe/Prague"),
            localDate: day, localTime: LocalTime("20:00"), dateTBA: day == nil, doorsAt: LocalTime("18:30"),
            status: status, priceRange: .init(minimum: 40, maximum: 80, currency: "CZK"),
            ticketURL: "https://tickets.example/1")
    }

    private static func store(
        _ events: [ConcertEvent], in gateway: TestGateway, at now: Timestamp = .now()
    ) async throws {
        try await gateway.database.write { transaction in
            try transaction.concerts.storeAnswer(
                targetKey: "artist:air", status: "complete", warningCode: nil, attractionID: "K1",
                events: try events.map { try StoredConcertEvent($0) }, reach: .everything, now: now)
        }
    }

    @Test("It has the venue with its address and a map, the times at the venue, and what happened")
    func detail() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("ada")
            let earlier = Timestamp.now().advanced(by: .seconds(-86_400))
            try await Self.store([Self.event()], in: gateway, at: earlier)
            try await Self.store([Self.event(.cancelled)], in: gateway)
            try await gateway.withClient { client in
                let response = try await client.execute(uri: "/v1/concerts/G5v-1", method: .get, headers: headers)
                #expect(response.status == .ok)
                let text = String(buffer: response.body)
                for part in [
                    #""artistName":"Air""#, #""address":"Street 1""#, #""timeZone":"Europe/Prague""#,
                    #""mapURL":"https://www.openstreetmap.org/search?query=Arena%2C%20Street%201%2C%20Prague%2C%20CZ""#,
                    #""doorsAt":"18:30:00""#, #""localTime":"20:00:00""#, #""priceRange":"CZK 40–80""#,
                    #""status":"cancelled""#, #""reason":"cancelled""#, #""revision":2"#,
                    #""from":"onsale","to":"cancelled""#, #""firstSeenAt":"\#(earlier)""#,
                ] {
                    #expect(text.contains(part), "\(part) in \(text)")
                }
                var conditional = headers
                conditional[.ifNoneMatch] = response.headers[.eTag]
                let again = try await client.execute(
                    uri: "/v1/concerts/G5v-1", method: .get, headers: conditional)
                #expect(again.status == .notModified)
                for (path, status) in [
                    ("/v1/concerts/unknown", HTTPResponse.Status.notFound), ("/v1/concerts/unknown.ics", .notFound),
                    ("/v1/concerts/nearby", .unprocessableContent),
                ] {
                    let answer = try await client.execute(uri: path, method: .get, headers: headers)
                    #expect(answer.status == status, "\(path)")
                }
                let nobody = try await client.execute(uri: "/v1/concerts/G5v-1", method: .get)
                #expect(nobody.status == .unauthorized)
            }
        }
    }

    @Test("A venue with a location is shown on the map, and a show without a date has no calendar file")
    func mapAndCalendar() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("ada")
            try await Self.store(
                [
                    Self.event(location: GeoPoint(latitude: 50.104_999, longitude: 14.5)),
                    Self.event(.postponed, day: nil, id: "later"),
                ], in: gateway)
            try await gateway.withClient { client in
                let response = try await client.execute(uri: "/v1/concerts/G5v-1", method: .get, headers: headers)
                #expect(
                    String(buffer: response.body).contains(
                        #""mapURL":"https://www.openstreetmap.org/?mlat=50.105&mlon=14.5#map=17/50.105/14.5""#))
                let calendar = try await client.execute(
                    uri: "/v1/concerts/G5v-1.ics", method: .get, headers: headers)
                #expect(calendar.status == .ok)
                #expect(calendar.headers[.contentType] == "text/calendar; charset=utf-8")
                #expect(String(buffer: calendar.body).contains("UID:ticketmaster-G5v-1@backline"))
                let undated = try await client.execute(uri: "/v1/concerts/later.ics", method: .get, headers: headers)
                #expect(undated.status == .conflict)
            }
        }
    }
}
