import Concerts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Synchronization
import Testing
import Visibility

@testable import ConcertsHTTP
@testable import Gateway

/// A clock that a test sets.
private final class SetClock: Sendable {
    let seconds = Atomic(1_000)

    var now: MonotonicInstant { MonotonicInstant(microseconds: Int64(seconds.load(ordering: .relaxed)) * 1_000_000) }
}

@Suite("Calendars to which programs subscribe")
struct CalendarSubscriptionRouteTests {
    private static let never = SubscribedCalendarRoutes.prefix + String(repeating: "A", count: 43) + ".ics"

    /// Makes an address, and returns its path.
    private static func make(_ people: PeopleFixture, as name: String, _ body: String? = nil) async throws -> String {
        let response = try await people.send(.post, "/v1/me/calendar", as: name, body: body)
        #expect(response.status == .created)
        let url = try #require(try response.jsonObject["url"] as? String)
        let path = try #require(url.firstRange(of: SubscribedCalendarRoutes.prefix)).lowerBound
        return String(url[path...])
    }

    private static func read(
        _ path: String, _ people: PeopleFixture, _ method: HTTPRequest.Method = .get, knowing tag: String? = nil
    ) async throws -> TestResponse {
        try await people.client.execute(
            uri: path, method: method, headers: tag.map { [.ifNoneMatch: $0] } ?? [:])
    }

    /// The ids of the shows of a calendar.
    private static func shows(_ path: String, _ people: PeopleFixture) async throws -> [String] {
        let response = try await read(path, people)
        #expect(response.status == .ok)
        return String(buffer: response.body).split(whereSeparator: \.isNewline)
            .filter { $0.hasPrefix("UID:") }
            .map { String($0.replacing("UID:ticketmaster-", with: "").replacing("@backline", with: "")) }
    }

    private static func rank(_ artist: String, _ people: PeopleFixture, as name: String) async throws {
        let body = #"{"artists":["\#(artist)"]}"#
        #expect(try await people.send(.put, "/v1/artists", as: name, body: body).status == .ok)
    }

    /// Stores shows of Air in Prague and Brno, in that order of their days.
    private static func storeShows(
        _ people: PeopleFixture, status: ConcertStatus = .onsale, inDays days: Int = 30
    ) async throws {
        let today = Int(Timestamp.now().microseconds / 86_400_000_000)
        try await people.gateway.database.write { transaction in
            try transaction.concerts.storeAnswer(
                targetKey: ConcertSearches.key(ofArtist: "Air"), status: "complete", warningCode: nil,
                attractionID: "K1",
                events: try ["Prague", "Brno"].enumerated().map { index, city in
                    try StoredConcertEvent(
                        ConcertEvent(
                            id: city, name: "Air", attractions: [.init(id: "K1", name: "Air")],
                            venue: ConcertVenue(
                                name: "Arena \(city)", city: city, countryCode: "CZ", timezone: "Europe/Prague"),
                            localDate: LocalDate(dayNumber: today + days + index), localTime: LocalTime("20:00"),
                            startsAt: Timestamp(microseconds: Int64(today + days + index) * 86_400_000_000),
                            status: status))
                }, reach: .everything, now: .now())
        }
    }

    @Test("It is off until an address is made; a new address ends the former one, and off is off")
    func addresses() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            #expect(try await people.send(.get, "/v1/me/calendar", as: "ada").status == .noContent)
            let off = try await people.send(
                .patch, "/v1/me/calendar", as: "ada", body: #"{"places":"home"}"#)
            #expect(try off.status == .notFound && off.problem.code == "notFound")
            let first = try await Self.make(people, as: "ada")
            #expect(first.hasSuffix(".ics") && first.utf8.count == Self.never.utf8.count)
            let shown = try await people.json("/v1/me/calendar", as: "ada")
            #expect(Set(shown.keys) == ["places", "madeAt", "lastReadAt"] && shown["places"] as? String == "home")
            #expect(shown["lastReadAt"] is NSNull)
            #expect(try await Self.read(first, people).status == .ok)
            let changed = try await people.send(
                .patch, "/v1/me/calendar", as: "ada", body: #"{"places":"anywhere"}"#)
            #expect(try changed.status == .ok && changed.jsonObject["places"] as? String == "anywhere")

            // What it has stays; the address does not.
            let second = try await Self.make(people, as: "ada")
            #expect(try await people.json("/v1/me/calendar", as: "ada")["places"] as? String == "anywhere")
            #expect(try await Self.read(first, people).status == .notFound)
            #expect(try await Self.read(second, people).status == .ok)
            #expect(try await people.send(.delete, "/v1/me/calendar", as: "bea").status == .noContent)
            #expect(try await Self.read(second, people).status == .ok)
            for _ in 0..<2 {
                #expect(try await people.send(.delete, "/v1/me/calendar", as: "ada").status == .noContent)
            }
            #expect(try await Self.read(second, people).status == .notFound)
            #expect(try await people.send(.get, "/v1/me/calendar", as: "ada").status == .noContent)
        }
    }

    @Test("It has the shows of the person's artists, near the home city or anywhere")
    func places() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await Self.storeShows(people)
            try await Self.rank("Air", people, as: "ada")
            let (ada, bea) = (try await Self.make(people, as: "ada"), try await Self.make(people, as: "bea"))
            #expect(try await Self.shows(bea, people).isEmpty)
            // Without a home city there is nothing that could be far from it.
            #expect(try await Self.shows(ada, people) == ["Prague", "Brno"])
            #expect(
                try await people.send(.patch, "/v1/me", as: "ada", body: #"{"homeCity":"Brno"}"#).status == .ok)
            #expect(try await Self.shows(ada, people) == ["Brno"])
            _ = try await people.send(.patch, "/v1/me/calendar", as: "ada", body: #"{"places":"anywhere"}"#)
            #expect(try await Self.shows(ada, people) == ["Prague", "Brno"])
            try await Self.rank("Moby", people, as: "ada")
            #expect(try await Self.shows(ada, people).isEmpty)
        }
    }

    @Test("An unchanged calendar is not sent again, and HEAD answers without it")
    func conditionalRequests() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            try await Self.storeShows(people)
            try await Self.rank("Air", people, as: "ada")
            let path = try await Self.make(people, as: "ada")
            let answer = try await Self.read(path, people)
            #expect(answer.headers[.contentType] == "text/calendar; charset=utf-8")
            #expect(answer.headers[.cacheControl]?.contains("private") == true)
            #expect(answer.headers[.contentDisposition] == #"attachment; filename="concerts.ics""#)
            #expect(answer.headers[.referrerPolicy] == "no-referrer")
            #expect(answer.headers[.robotsTag]?.contains("noindex") == true)
            let tag = try #require(answer.headers[.eTag])
            for method in [HTTPRequest.Method.get, .head] {
                let unchanged = try await Self.read(path, people, method, knowing: tag)
                #expect(unchanged.status == .notModified && unchanged.body.readableBytes == 0)
                #expect(unchanged.headers[.eTag] == tag)
            }
            let head = try await Self.read(path, people, .head)
            #expect(head.status == .ok && head.body.readableBytes == 0)
            #expect(head.headers[.contentLength] == "\(answer.body.readableBytes)")
            let missing = try await Self.read(Self.never, people, .head)
            #expect(missing.status == .notFound && missing.body.readableBytes == 0)
            // Another lookup that finds the same changes nothing.
            try await Self.storeShows(people)
            #expect(try await Self.read(path, people, knowing: tag).status == .notModified)
            try await Self.storeShows(people, inDays: 40)
            let moved = try await Self.read(path, people, knowing: tag)
            #expect(moved.status == .ok && String(buffer: moved.body).contains("SEQUENCE:1"))
            #expect(try await people.gateway.count("SELECT 1 FROM jobs") == 0, "nothing asks an upstream")
        }
    }

    @Test("Addresses that ended, never were, or belong to somebody who is suspended look alike")
    func ends() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let replaced = try await Self.make(people, as: "ada")
            _ = try await Self.make(people, as: "ada")
            let suspended = try await Self.make(people, as: "bea")
            let id = try people.id(of: "bea")
            _ = try await people.gateway.database.write { try $0.visibility.suspend(userID: id) }
            var answers: Set<String> = []
            for path in [replaced, suspended, Self.never, "/v1/calendar/x.ics", "/v1/calendar/%00.ics"] {
                let answer = try await Self.read(path, people)
                #expect(answer.status == .notFound, "\(path)")
                answers.insert(String(buffer: answer.body))
            }
            #expect(answers.count == 1)
            #expect(try await Self.read(Self.never, people, .post).status == .methodNotAllowed)
            _ = try await people.gateway.database.write { try $0.visibility.reinstate(userID: id) }
            #expect(try await Self.read(suspended, people).status == .ok)
        }
    }

    @Test("When a program last read it is stored a while later, and once an hour")
    func readings() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let path = try await Self.make(people, as: "ada")
            func stored() async throws -> Any? {
                let step = people.gateway.application.domains.first { $0.name == "concerts" }?.upkeepSteps
                    .first { $0.name == "storeCalendarReadings" }
                guard case .always(let run)? = step?.work else {
                    Issue.record("there is no such step")
                    return nil
                }
                try await run()
                return try await people.json("/v1/me/calendar", as: "ada")["lastReadAt"]
            }
            #expect(try await stored() is NSNull)
            _ = try await Self.read(path, people)
            let first = try #require(try await stored() as? String)
            _ = try await Self.read(path, people)
            #expect(try await stored() as? String == first)
            try await people.gateway.database.write {
                try $0.run("UPDATE concert_calendars SET read_at = read_at - 3600000000")
            }
            _ = try await Self.read(path, people)
            let later = try #require(try await stored() as? String)
            #expect(later > first)
            // An address of its own has not been read.
            _ = try await Self.make(people, as: "ada")
            #expect(try await stored() is NSNull)
        }
    }

    @Test("An address reads sixty calendars at once, whatever they are, and more come back over a minute")
    func limit() async throws {
        let clock = SetClock()
        try await TestGateway.run { gateway in
            let application = Application(router: gateway.application.routes(now: { clock.now }))
            try await application.test(.live) { client in
                func read() async throws -> HTTPResponse.Status {
                    try await client.execute(uri: Self.never, method: .get).status
                }
                for _ in 0..<60 { #expect(try await read() == .notFound) }
                let refused = try await client.execute(uri: Self.never, method: .head)
                #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
                #expect(refused.body.readableBytes == 0)
                clock.seconds.add(1, ordering: .relaxed)
                #expect(try await read() == .notFound)
                #expect(try await read() == .tooManyRequests)
            }
        }
    }

    @Test("What is wrong with a request is said with its field")
    func badInput() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            _ = try await Self.make(people, as: "ada", #"{"places":null}"#)
            for (method, body) in [
                (HTTPRequest.Method.post, #"{"places":"near"}"#), (.post, #"{"places":1}"#), (.post, #"{"city":"x"}"#),
                (.patch, "{}"), (.patch, #"{"places":null}"#), (.patch, #"{"places":"Home"}"#),
            ] {
                let response = try await people.send(method, "/v1/me/calendar", as: "ada", body: body)
                #expect(response.status == .unprocessableContent, "\(method) \(body)")
            }
            let nobody = try await people.client.execute(uri: "/v1/me/calendar", method: .get)
            #expect(nobody.status == .unauthorized)
        }
    }

    @Test("Who makes an address has their artists watched from then on, without opening the feed")
    func watching() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            try await Self.rank("Air", people, as: "ada")
            let id = try people.id(of: "ada")
            #expect(try await people.gateway.database.read { try !$0.concerts.isReader(userID: id) })
            _ = try await Self.make(people, as: "ada")
            #expect(try await people.gateway.database.read { try $0.concerts.isReader(userID: id) })
            #expect(try await people.gateway.count("SELECT 1 FROM concert_watches") == 1)
            #expect(try await people.gateway.count("SELECT 1 FROM concert_refreshes") == 1)
        }
    }
}
