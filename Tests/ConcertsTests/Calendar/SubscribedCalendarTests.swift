import Foundation
import Model
import Testing

@testable import Concerts

@Suite("A calendar to which programs subscribe")
struct SubscribedCalendarTests {
    private static let madeAt = Timestamp(rfc3339: "2026-11-21T02:03:04Z")!
    private static let changedAt = Timestamp(rfc3339: "2026-12-01T05:06:07.891Z")!
    private static let day = LocalDate("2026-12-05")!

    /// A show of Air in Prague at 19:30.
    private static func event(_ change: (inout ConcertEvent) -> Void = { _ in }) -> ConcertEvent {
        var event = ConcertEvent(
            id: "G5v", name: "Air: Moon Safari", attractions: [.init(id: "K1", name: "Air")],
            venue: ConcertVenue(name: "Lucerna", city: "Praha 1", countryCode: "CZ", timezone: "Europe/Prague"),
            localDate: day, localTime: LocalTime("19:30"), startsAt: Timestamp(rfc3339: "2026-12-05T18:30:00Z"),
            priceRange: .init(minimum: 990, maximum: 1_490, currency: "CZK"), ticketURL: "https://t/G5v")
        event.history = .init(revision: 2, changedAt: changedAt)
        change(&event)
        return event
    }

    private static func show(_ event: ConcertEvent, firstSeenAt: Timestamp? = nil) throws -> CalendarShow {
        let grouping = ShowGrouping(
            [ShowGrouping.Source(artist: RankedArtist(id: "a", name: "Air", rank: 1), events: [event])],
            options: .init(includesCancelled: true))
        let row = try #require(grouping.rows.first)
        return CalendarShow(ConcertListItem(row), on: event.localDate ?? day, firstSeenAt: firstSeenAt)
    }

    /// The lines, unfolded.
    private static func lines(_ shows: [CalendarShow]) -> [String] {
        let text = String(decoding: SubscribedCalendar(shows, madeAt: madeAt).bytes, as: UTF8.self)
        return text.replacing("\r\n ", with: "").components(separatedBy: "\r\n").dropLast()
    }

    private static func times(_ event: ConcertEvent) throws -> [String] {
        lines([try show(event)]).drop { $0 != "BEGIN:VEVENT" }
            .filter { $0.hasPrefix("DTSTART") || $0.hasPrefix("DTEND") }
    }

    @Test("It has the time at the venue with its zone, and says how often to read it")
    func entry() throws {
        let lines = Self.lines([try Self.show(Self.event())])
        #expect(
            lines.prefix { $0 != "BEGIN:VTIMEZONE" } == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Backline//Concerts//EN", "CALSCALE:GREGORIAN",
                "METHOD:PUBLISH", "NAME:Concerts", "X-WR-CALNAME:Concerts", "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
                "X-PUBLISHED-TTL:PT6H",
            ])
        #expect(lines.filter { $0 == "TZID:Europe/Prague" }.count == 1)
        #expect(
            lines.drop { $0 != "BEGIN:VEVENT" } == [
                "BEGIN:VEVENT", "UID:ticketmaster-G5v@backline", "DTSTAMP:20261201T050607Z",
                "LAST-MODIFIED:20261201T050607Z", "SEQUENCE:2", "DTSTART;TZID=Europe/Prague:20261205T193000",
                "TRANSP:TRANSPARENT", "SUMMARY:Air", #"LOCATION:Lucerna\, Praha 1\, CZ"#, "URL:https://t/G5v",
                "STATUS:CONFIRMED", #"DESCRIPTION:Air: Moon Safari\nTickets: https://t/G5v"#, "END:VEVENT",
                "END:VCALENDAR",
            ])
    }

    @Test("A show that never changed was made when it was first found, or when the address was made")
    func stamps() throws {
        var event = Self.event()
        event.history = .init(revision: 0, changedAt: nil)
        let found = Timestamp(rfc3339: "2026-11-25T00:00:00Z")
        let known = Self.lines([try Self.show(event, firstSeenAt: found)])
        #expect(known.contains("DTSTAMP:20261125T000000Z") && known.contains("LAST-MODIFIED:20261125T000000Z"))
        #expect(known.contains("SEQUENCE:0"))
        let unknown = Self.lines([try Self.show(event)])
        #expect(unknown.contains("DTSTAMP:20261121T020304Z") && unknown.contains("LAST-MODIFIED:20261121T020304Z"))
    }

    @Test("An end is in the same zone; several days are whole days unless both their ends are known")
    func ends() throws {
        #expect(
            try Self.times(Self.event { $0.endsAt = Timestamp(rfc3339: "2026-12-05T22:00:00Z") }) == [
                "DTSTART;TZID=Europe/Prague:20261205T193000", "DTEND;TZID=Europe/Prague:20261205T230000",
            ])
        #expect(
            try Self.times(Self.event { $0.endDate = LocalDate("2026-12-07") }) == [
                "DTSTART;VALUE=DATE:20261205", "DTEND;VALUE=DATE:20261208",
            ])
        let known = Self.event {
            $0.endDate = LocalDate("2026-12-07")
            $0.endsAt = Timestamp(rfc3339: "2026-12-07T22:00:00Z")
        }
        #expect(
            try Self.times(known) == [
                "DTSTART;TZID=Europe/Prague:20261205T193000", "DTEND;TZID=Europe/Prague:20261207T230000",
            ])
    }

    @Test("A time is never without a zone: a show whose zone is unknown takes up its day, and says when it begins")
    func unknownZones() throws {
        let unknown = Self.event {
            $0.venue?.timezone = nil
            $0.startsAt = nil
        }
        #expect(try Self.times(unknown) == ["DTSTART;VALUE=DATE:20261205"])
        let lines = Self.lines([try Self.show(unknown)])
        #expect(lines.contains { $0.contains(#"\nBegins at 19:30\, local time.\n"#) })
        #expect(!lines.contains("BEGIN:VTIMEZONE"))
        // The moment is known, and the name of the zone is not one.
        let misnamed = Self.event { $0.venue?.timezone = "Prague;X=1\r\nATTACH:x" }
        #expect(try Self.times(misnamed) == ["DTSTART:20261205T183000Z"])
        #expect(!Self.lines([try Self.show(misnamed)]).contains { $0.hasPrefix("ATTACH") })
        #expect(try Self.times(Self.event { $0.timeTBA = true }) == ["DTSTART;VALUE=DATE:20261205"])
    }

    @Test("A moment that the clocks at the venue show twice is in UTC, and so is one in the far future")
    func inexpressibleTimes() throws {
        let shows = try ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2040-01-01T00:00:00Z"].map { text in
            try Self.show(Self.event { $0.startsAt = Timestamp(rfc3339: text) })
        }
        let starts = Self.lines(shows).drop { $0 != "BEGIN:VEVENT" }.filter { $0.hasPrefix("DTSTART") }
        #expect(
            starts == [
                "DTSTART;TZID=Europe/Prague:20261025T023000", "DTSTART:20261025T013000Z", "DTSTART:20400101T000000Z",
            ])
    }

    @Test("It has the zones of its entries, and no other; an empty calendar has a component, too")
    func zones() throws {
        let shows = try ["Asia/Kathmandu", "America/New_York", "Asia/Kathmandu"].enumerated().map { index, zone in
            try Self.show(
                Self.event {
                    $0.id = "\(index)"
                    $0.venue?.timezone = zone
                })
        }
        #expect(
            Self.lines(shows).filter { $0.hasPrefix("TZID:") } == ["TZID:America/New_York", "TZID:Asia/Kathmandu"])
        let empty = Self.lines([])
        #expect(empty.contains("BEGIN:VTIMEZONE") && empty.contains("TZID:Etc/UTC") && !empty.contains("BEGIN:VEVENT"))
    }

    @Test("No name adds a line, and no line is too long")
    func hostileNames() throws {
        let event = Self.event {
            $0.name = String(repeating: "é", count: 300) + "\r\nATTENDEE:mailto:a"
            $0.venue?.name = "Hall\nATTACH:https://evil"
        }
        let bytes = SubscribedCalendar([try Self.show(event)], madeAt: Self.madeAt).bytes
        for line in bytes.split(separator: 0x0A) {
            #expect(line.last == 0x0D && line.count <= 76 && String(validating: line, as: UTF8.self) != nil)
        }
        #expect(!Self.lines([try Self.show(event)]).contains { $0.hasPrefix("ATT") })
    }
}
