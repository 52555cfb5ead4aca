import Model
import TestSupport
import Testing
import Ticketmaster

@Suite("Start and end of events")
struct EventTimingTests {
    private func event(_ dates: String, zone: String? = nil, name: String = "Air") async throws -> ConcertEvent {
        let venue = zone.map { #", "_embedded": {"venues": [{"timezone": "\#($0)"}]}"# } ?? ""
        let page = try await ScriptedUpstream(
            .events(#"{"id": "e", "name": "\#(name)", "dates": {\#(dates)}\#(venue)}"#)
        )
        .client().events(keyword: "Air")
        return try #require(page.events.first)
    }

    struct End: Sendable, CustomTestStringConvertible {
        var begin: String
        var end: String
        var isSeveralDays = false
        var lastDay: String?
        var testDescription: String { "\(begin) to \(end)\(isSeveralDays ? ", several days" : "")" }
    }

    @Test(
        "An end in the small hours belongs to the same evening, unless the record says several days",
        arguments: [
            End(begin: "2027-05-14T22:00:00", end: "2027-05-15T03:00:00"),
            End(begin: "2027-05-14T19:00:00", end: "2027-05-15T00:00:00"),
            End(begin: "2027-05-14T20:00:00", end: "2027-05-15T06:00:00"),
            End(begin: "2027-05-14T23:00:00", end: "2027-05-15T09:30:00"),
            End(begin: "2027-05-14T12:00:00", end: "2027-05-14T23:00:00"),
            End(begin: "2027-05-14T22:00:00", end: "2027-05-15T03:00:00", isSeveralDays: true, lastDay: "2027-05-15"),
            End(begin: "2027-05-14T14:00:00", end: "2027-05-17T02:00:00", lastDay: "2027-05-16"),
            End(begin: "2027-05-14T14:00:00", end: "2027-05-17T02:00:00", isSeveralDays: true, lastDay: "2027-05-16"),
            End(begin: "2027-05-14T14:00:00", end: "2027-05-16T00:00:00", lastDay: "2027-05-16"),
            End(begin: "2027-05-14T12:00:00", end: "2027-05-15T18:00:00", lastDay: "2027-05-15"),
            End(begin: "2027-05-14T10:00:00", end: "2027-05-15T10:00:00", lastDay: "2027-05-15"),
            End(begin: "2027-05-14T10:00:00", end: "2028-05-14T10:00:00", lastDay: "2028-05-14"),
            End(begin: "2027-05-14T10:00:00", end: "9999-12-31T10:00:00"),
        ])
    func lastDay(example: End) async throws {
        func parts(_ moment: String) -> String {
            #""localDate": "\#(moment.prefix(10))", "localTime": "\#(moment.suffix(8))""#
        }
        let event = try await event(
            #""start": {\#(parts(example.begin))}, "end": {\#(parts(example.end))}, "#
                + #""spanMultipleDays": \#(example.isSeveralDays)"#)
        #expect(event.endDate?.description == example.lastDay)
        #expect(event.spansMultipleDays == (example.lastDay != nil))
        #expect(event.kind == .show)
    }

    @Test(
        "An end on the next day of an event that does not last several days is that of a night",
        arguments: [#""localDate": "2027-05-15""#, #""localDate": "2027-05-15", "localTime": "12:00:00""#])
    func endOfANight(end: String) async throws {
        func event(_ several: String) async throws -> ConcertEvent {
            try await self.event(
                #""start": {"localDate": "2027-05-14", "localTime": "23:00:00"}, "end": {\#(end)}"# + several,
                name: "Nora Vale Ticket")
        }
        let night = try await event(#", "spanMultipleDays": false"#)
        #expect(night.endDate == nil && night.kind == .show)
        #expect(try await event(#", "spanMultipleDays": true"#).endDate?.description == "2027-05-15")
    }

    @Test("For an end without a local date, the moment counts, not a copy of the start's time")
    func copiedTime() async throws {
        let event = try await event(
            #""timezone": "Europe/Berlin", "start": {"localDate": "2027-05-14", "localTime": "23:00:00"}, "#
                + #""end": {"localTime": "23:00:00", "dateTime": "2027-05-15T02:00:00Z"}"#)
        #expect(event.endDate == nil)
        #expect(event.startsAt == Timestamp(rfc3339: "2027-05-14T21:00:00Z"))
        #expect(event.endsAt == Timestamp(rfc3339: "2027-05-15T02:00:00Z"))
    }

    @Test("An end that is only estimated is not an end")
    func estimatedEnd() async throws {
        let event = try await event(
            #""start": {"localDate": "2027-05-14", "localTime": "20:00:00"}, "#
                + #""end": {"localDate": "2027-05-14", "localTime": "23:00:00", "approximate": true}"#,
            zone: "Europe/Berlin")
        #expect(event.endsAt == nil)
    }

    struct Begin: Sendable, CustomTestStringConvertible {
        var local: String
        var announced: String?
        var zone: String?
        var moment: String?
        var testDescription: String { "\(local) in \(zone ?? "no zone"), announced as \(announced ?? "nothing")" }
    }

    @Test(
        "The start's moment is the announced one if it fits, or else that of the venue's clock",
        arguments: [
            Begin(
                local: "2027-07-02T20:00:00", announced: "2027-07-03T03:00:00Z", zone: "America/Los_Angeles",
                moment: "2027-07-03T03:00:00Z"),
            // The hour that the clock shows twice.
            Begin(
                local: "2027-10-31T02:30:00", announced: "2027-10-31T01:30:00Z", zone: "Europe/Prague",
                moment: "2027-10-31T01:30:00Z"),
            Begin(local: "2027-01-10T20:00:00", zone: "Asia/Kolkata", moment: "2027-01-10T14:30:00Z"),
            Begin(
                local: "2027-01-10T20:00:00", announced: "2027-01-10T20:00:00Z", zone: "Europe/Prague",
                moment: "2027-01-10T19:00:00Z"),
            Begin(local: "2027-01-10T20:00:00", announced: "2027-01-10T19:00:00Z", moment: "2027-01-10T19:00:00Z"),
            Begin(local: "2027-01-10T20:00:00", announced: "2027-01-08T19:00:00Z"),
            Begin(local: "2027-01-10T20:00:00", zone: "Mars/Olympus"), Begin(local: "2027-01-10T20:00:00"),
        ])
    func momentOfTheStart(example: Begin) async throws {
        let announced = example.announced.map { #", "dateTime": "\#($0)""# } ?? ""
        let event = try await event(
            #""start": {"localDate": "\#(example.local.prefix(10))", "localTime": "\#(example.local.suffix(8))""#
                + announced + "}",
            zone: example.zone)
        #expect(event.startsAt == example.moment.flatMap { Timestamp(rfc3339: $0) })
    }

    @Test("An event without a time has no moment")
    func noTime() async throws {
        let event = try await event(
            #""start": {"localDate": "2027-07-02", "dateTime": "2027-07-02T18:00:00Z", "noSpecificTime": true}"#,
            zone: "Europe/Prague")
        #expect(event.startsAt == nil)
    }

    @Test(
        "Resale is recognized by its source or its address",
        arguments: [
            (#""source": "tmr""#, true), (#""source": {"id": "tmr", "name": "Resale"}"#, true),
            (#""url": "https://resale.tickets.example/e/1""#, true),
            (#""url": "https://www.ticketsnow.com/e/1""#, true),
            (#""source": "universe", "url": "https://www.universe.com/e/resale""#, false),
            (#""url": "https://www.ticketmaster.com/e/1""#, false), (#""source": 5"#, false),
        ])
    func resaleListings(fields: String, isResale: Bool) async throws {
        let page = try await ScriptedUpstream(.events(#"{"id": "e", "name": "Air", \#(fields)}"#))
            .client().events(keyword: "Air")
        #expect((page.events.first?.isResale == true) == isResale)
    }
}
