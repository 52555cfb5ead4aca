import Model
import TestSupport
import Testing
import Ticketmaster

@Suite("Mapping of events")
struct EventMappingTests {
    /// An event with an id, a name and the given `fields`.
    private func event(_ fields: String) async throws -> ConcertEvent {
        let separator = fields.isEmpty ? "" : ","
        let page = try await ScriptedUpstream(.events(#"{"id": "e", "name": "Air"\#(separator)\#(fields)}"#))
            .client().events(keyword: "Air")
        return try #require(page.events.first)
    }

    struct Dates: Sendable, CustomTestStringConvertible {
        var json: String
        var date: String?
        var time: String?
        var timeTBA = false
        var dateTBA = false
        var testDescription: String { json }
    }

    @Test(
        "Dates and times stay local, and placeholders are not dates",
        arguments: [
            Dates(
                json: #""start": {"localDate": "2026-12-01", "localTime": "20:00:00"}"#, date: "2026-12-01",
                time: "20:00:00"),
            Dates(
                json: #""start": {"localDate": "2026-12-01", "localTime": "20:00:00", "timeTBA": true}"#,
                date: "2026-12-01", timeTBA: true),
            Dates(
                json: #""start": {"localDate": "2026-12-01", "localTime": "00:00:00", "noSpecificTime": true}"#,
                date: "2026-12-01"),
            Dates(json: #""start": {"dateTBA": true, "timeTBA": true}"#, timeTBA: true, dateTBA: true),
            Dates(json: #""start": {"localDate": "2026-12-31", "dateTBA": true}"#, dateTBA: true),
            Dates(json: #""start": {"localDate": "2026-12-31", "dateTBD": true}"#, date: "2026-12-31", dateTBA: true),
            Dates(json: #""start": {"localDate": "1900-01-01", "localTime": "18:00:00"}"#),
            Dates(json: #""start": {"localDate": "2026-02-30"}"#),
            Dates(json: #""start": {"localDate": "soon"}"#),
            Dates(json: #""start": null"#),
            Dates(json: #""initialStartDate": {"localDate": "2026-05-01", "localTime": "19:00:00"}"#, dateTBA: true),
            Dates(
                json: #""start": {"dateTime": "2026-07-01T23:30:00Z"}, "timezone": "Europe/Prague""#,
                date: "2026-07-02", time: "01:30:00"),
            Dates(
                json: #""start": {"dateTime": "2026-07-01T01:30:00Z"}, "timezone": "America/New_York""#,
                date: "2026-06-30", time: "21:30:00"),
            Dates(json: #""start": {"dateTime": "2026-07-01T01:30:00Z"}"#),
        ])
    func localDates(example: Dates) async throws {
        let event = try await event(#""dates": {\#(example.json)}"#)
        #expect(event.localDate?.description == example.date)
        #expect(event.localTime?.description == example.time)
        #expect(event.timeTBA == example.timeTBA)
        #expect(event.dateTBA == example.dateTBA)
    }

    @Test("A missing time zone is taken from the venue")
    func venueZone() async throws {
        let event = try await event(
            #""dates": {"start": {"dateTime": "2026-07-01T23:30:00Z"}}, "#
                + #""_embedded": {"venues": [{"timezone": "Asia/Tokyo"}]}"#)
        #expect(event.localDate?.description == "2026-07-02")
        #expect(event.localTime?.description == "08:30:00")
    }

    @Test(
        "Doors open on the day of the event and before it, or are unknown",
        arguments: [
            (#""localDate": "2027-06-04", "localTime": "19:00:00""#, "19:00:00"),
            (#""dateTime": "2027-06-04T17:30:00Z""#, "19:30:00"),
            (#""localDate": "2027-06-03", "localTime": "19:00:00""#, nil),
            (#""localDate": "2027-06-04", "localTime": "20:30:00""#, nil),
            (#""localDate": "2027-06-04""#, nil),
            (#""localDate": 7, "localTime": []"#, nil),
        ] as [(String, String?)])
    func doors(json: String, time: String?) async throws {
        let event = try await event(
            #""dates": {"start": {"localDate": "2027-06-04", "localTime": "20:00:00"}, "timezone": "Europe/Prague"}, "#
                + #""doorsTimes": {\#(json)}"#)
        #expect(event.doorsAt?.description == time)
    }

    @Test(
        "The start of the sale is known unless it is a placeholder or to be announced",
        arguments: [
            (#""startDateTime": "2026-12-01T09:00:00Z""#, "2026-12-01T09:00:00"),
            (#""startDateTime": "1900-01-01T18:00:00Z""#, nil),
            (#""startDateTime": "9999-12-31T23:00:00Z""#, nil),
            (#""startDateTime": "2026-12-01T09:00:00Z", "startTBD": true"#, nil),
            (#""startDateTime": "2026-12-01T09:00:00Z", "startTBA": true"#, nil),
            (#""startDateTime": "soon""#, nil),
            (#""startTBD": false"#, nil),
        ] as [(String, String?)])
    func sales(json: String, start: String?) async throws {
        let event = try await event(#""sales": {"public": {\#(json)}}"#)
        #expect(event.saleStartsAt.map { String($0.description.prefix(19)) } == start)
        #expect(try await self.event(#""sales": [1]"#).saleStartsAt == nil)
    }

    @Test("An event that lasts several days has its last day")
    func severalDays() async throws {
        let festival = try await event(
            #""dates": {"start": {"localDate": "2027-06-04"}, "end": {"localDate": "2027-06-06"}}"#)
        #expect(festival.endDate == LocalDate("2027-06-06"))
        #expect(festival.spansMultipleDays)
        let night = try await event(
            #""dates": {"start": {"localDate": "2027-06-04"}, "end": {"localDate": "2027-06-04"}}"#)
        #expect(night.endDate == nil)
        #expect(!night.spansMultipleDays)
        #expect(try await event(#""dates": {"spanMultipleDays": true}"#).spansMultipleDays)
    }

    @Test(
        "Both spellings of cancelled are accepted; unknown statuses are preserved",
        arguments: [
            ("cancelled", "cancelled"), ("canceled", "cancelled"), ("Onsale", "onsale"), ("postponed", "postponed"),
            ("rescheduled", "rescheduled"), ("offsale", "offsale"), ("moved", "moved"), ("", "unknown"),
        ])
    func spellingsOfStatus(code: String, expected: String) async throws {
        #expect(try await event(#""dates": {"status": {"code": "\#(code)"}}"#).status.code == expected)
    }

    @Test(
        "Zero or missing coordinates are not a position",
        arguments: [
            (#"{"latitude": "50.08", "longitude": "14.42"}"#, true), (#"{"latitude": "0", "longitude": "0"}"#, false),
            (#"{"latitude": "0.0000", "longitude": "14.42"}"#, false), (#"{"latitude": "50.08"}"#, false),
            (#"{"latitude": "north", "longitude": "14.42"}"#, false), ("null", false),
            (#"{"latitude": "95", "longitude": "14.42"}"#, false), (#"{"latitude": 50.08, "longitude": 14.42}"#, true),
            (#"{"latitude": "nan", "longitude": "inf"}"#, false),
        ])
    func missingLocation(json: String, isKnown: Bool) async throws {
        let event = try await event(#""_embedded": {"venues": [{"location": \#(json)}]}"#)
        #expect((event.venue?.location != nil) == isKnown)
    }

    @Test("Whitespace around names is trimmed; whitespace in ids stays")
    func whitespace() async throws {
        let page = try await ScriptedUpstream(
            .events(#"{"id": " iD ", "name": "\tAir\n", "_embedded": {"venues": [{"city": {"name": " Praha 1 "}}]}}"#)
        ).client().events(keyword: "Air")
        #expect(page.events.first?.id == " iD ")
        #expect(page.events.first?.name == "Air")
        #expect(page.events.first?.venue?.city == "Praha 1")
    }

    @Test(
        "Ticket links are https or missing",
        arguments: [
            (#""https://www.ticketmaster.cz/e/1""#, "https://www.ticketmaster.cz/e/1"),
            (#""http://ticketmaster.com/e/1""#, "https://ticketmaster.com/e/1"),
            (#""HTTP://ticketmaster.com:80/e/1""#, "https://ticketmaster.com/e/1"),
            (#""javascript:alert(1)""#, nil), (#""//ticketmaster.com/e/1""#, nil), (#""""#, nil), ("null", nil),
            (#""https://t.cz/\u010desk\u00e9 \"x""#, nil), (#""https://t.cz/\u010d\"x""#, "https://t.cz/%C4%8D%22x"),
            (#""https://evil@ticketmaster.com/""#, nil), (#""https://a b/""#, nil), ("5", nil),
        ])
    func ticketURL(json: String, expected: String?) async throws {
        #expect(try await event(#""url": \#(json)"#).ticketURL == expected)
    }

    @Test("The image is the event's own, 16:9, about 640 pixels wide, with an allowed URL")
    func chosenImage() async throws {
        func image(_ name: String, _ ratio: String, _ width: Int, fallback: Bool = false) -> String {
            #"{"url": "https://i/\#(name)", "ratio": "\#(ratio)", "width": \#(width), "fallback": \#(fallback)}"#
        }
        func best(_ images: String...) async throws -> String? {
            try await event(#""images": [\#(images.joined(separator: ","))]"#).imageURL
        }
        let small = image("small", "16_9", 100)
        let middle = image("middle", "16_9", 1_024)
        let stock = image("stock", "16_9", 640, fallback: true)
        let tall = image("tall", "3_2", 640)
        #expect(try await best(small, middle, stock, tall) == "https://i/middle")
        #expect(try await best(stock, tall) == "https://i/tall")
        #expect(try await best(stock) == "https://i/stock")
        #expect(try await best(#"{"url": "https://i/bare"}"#, "null") == "https://i/bare")
        #expect(try await best() == nil)
        // Old records have http addresses that are also served over TLS. A simulator on this machine has no TLS.
        for (url, expected) in [
            ("http://s1.ticketm.net/a.jpg", "https://s1.ticketm.net/a.jpg"),
            ("http://127.0.0.1:4711/a.jpg", "http://127.0.0.1:4711/a.jpg"),
            ("http://[::1]:4711/a.jpg", "http://[::1]:4711/a.jpg"),
            ("http://127.0.0.1.example/a.jpg", "https://127.0.0.1.example/a.jpg"), ("javascript:alert(1)", nil),
        ] {
            #expect(try await best(#"{"url": "\#(url)"}"#) == expected, "\(url)")
        }
    }

    @Test("An event without a name gets that of its headliner")
    func namelessEvent() async throws {
        let page = try await ScriptedUpstream(
            .events(#"{"id": "e", "_embedded": {"attractions": [{"id": "a", "name": "Air"}]}}"#)
        ).client().events(keyword: "Air")
        #expect(page.events.first?.name == "Air")
    }

    @Test("Equal events are encoded equally, and old rows can be decoded")
    func storedEvents() async throws {
        let event = try await event(
            #""url": "https://t/1", "dates": {"start": {"localDate": "2026-12-01", "localTime": "20:00"}}"#)
        let text = try event.encodedForStorage()
        #expect(
            text == """
                {"attractions":[],"dateTBA":false,"id":"e","kind":"show","localDate":"2026-12-01",\
                "localTime":"20:00:00","name":"Air","spansMultipleDays":false,"status":"unknown",\
                "ticketURL":"https://t/1","timeTBA":false}
                """)
        #expect(try ConcertEvent(storage: text) == event)
    }
}
