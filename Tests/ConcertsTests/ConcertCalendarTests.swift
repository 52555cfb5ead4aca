import Concerts
import Foundation
import Model
import Testing

@Suite("Shows as a calendar file")
struct ConcertCalendarTests {
    private static let now = Timestamp(rfc3339: "2026-11-21T02:03:04.567Z")!

    /// The row of an event of Air.
    private func show(_ event: ConcertEvent, with others: [String] = []) throws -> ConcertListItem {
        let artists = ["Air"] + others
        let grouping = ShowGrouping(
            artists.enumerated().map { rank, name in
                ShowGrouping.Source(artist: RankedArtist(id: name, name: name, rank: rank + 1), events: [event])
            }, options: .init(includesCancelled: true))
        return ConcertListItem(try #require(grouping.rows.first), homeCity: nil)
    }

    private func dated(_ id: String = "G5v", status: ConcertStatus = .onsale, name: String = "Air") -> ConcertEvent {
        ConcertEvent(
            id: id, name: name, localDate: LocalDate("2026-12-05"), localTime: LocalTime("19:30"), status: status)
    }

    /// The lines, unfolded (RFC 5545, section 3.1).
    private func lines(_ calendar: ConcertCalendar) throws -> [String] {
        let text = try #require(String(validating: calendar.bytes, as: UTF8.self))
        #expect(text.utf8.suffix(2).elementsEqual([0x0D, 0x0A]))
        return text.replacing("\r\n ", with: "").components(separatedBy: "\r\n").dropLast()
    }

    private func lines(of shows: ConcertListItem...) throws -> [String] {
        try lines(ConcertCalendar(shows, now: Self.now))
    }

    @Test("An entry has all known values of its show")
    func knownValues() throws {
        var event = dated(name: "Air: Moon Safari")
        event.venue = ConcertVenue(name: "Lucerna", address: "Štěpánská 61", city: "Praha 1", countryCode: "CZ")
        event.ticketURL = "https://tickets.example/G5v?a=1,2;b"
        event.priceRange = .init(minimum: 990, maximum: 1490, currency: "CZK")
        let price = try #require(try show(event, with: ["Moby"]).priceRange)
        #expect(
            try lines(of: show(event, with: ["Moby"])) == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Backline//Concerts//EN", "CALSCALE:GREGORIAN",
                "BEGIN:VEVENT", "UID:ticketmaster-G5v@backline", "DTSTAMP:20261121T020304Z",
                "DTSTART:20261205T193000", #"SUMMARY:Air\, Moby"#,
                #"LOCATION:Lucerna\, Štěpánská 61\, Praha 1\, CZ"#, "URL:https://tickets.example/G5v?a=1,2;b",
                "STATUS:CONFIRMED",
                #"DESCRIPTION:Air: Moon Safari\nLine-up: Air\, Moby\nPrice: "# + price
                    + #"\nTickets: https://tickets.example/G5v?a=1\,2\;b"#,
                "END:VEVENT", "END:VCALENDAR",
            ])
    }

    @Test("A show without a time takes up the whole day; a show without a date is left out and counted")
    func showWithoutATime() throws {
        var noTime = dated("day")
        noTime.timeTBA = true
        var unknownTime = dated("unknown")
        unknownTime.localTime = nil
        var noDate = dated("later")
        (noDate.localDate, noDate.dateTBA) = (nil, true)
        let calendar = ConcertCalendar(try [noTime, unknownTime, noDate].map { try show($0) }, now: Self.now)
        let lines = try lines(calendar)
        #expect(calendar.count == 2)
        #expect(lines.filter { $0.hasPrefix("DTSTART") } == Array(repeating: "DTSTART;VALUE=DATE:20261205", count: 2))
        #expect(lines.contains("X-BACKLINE-SHOWS-WITHOUT-DATE:1"))
        #expect(lines.filter { $0 == #"DESCRIPTION:Air\nThe time is to be announced."# }.count == 2)
        #expect(!lines.contains { $0.contains("later") })
        #expect(try !self.lines(of: show(dated())).contains { $0.hasPrefix("X-") })
    }

    @Test(
        "The status of a show is in STATUS and in the texts that calendars show",
        arguments: [
            (ConcertStatus.onsale, "CONFIRMED", "Air"), (.offsale, "CONFIRMED", "Air"),
            (.rescheduled, "CONFIRMED", "Air"), (.other("new"), "CONFIRMED", "Air"),
            (.postponed, "TENTATIVE", "Postponed: Air"), (.cancelled, "CANCELLED", "Cancelled: Air"),
        ])
    func statusOfAShow(status: ConcertStatus, word: String, summary: String) throws {
        let lines = try lines(of: show(dated(status: status)))
        #expect(lines.contains("STATUS:\(word)") && lines.contains("SUMMARY:\(summary)"))
    }

    @Test("No line is longer than 75 octets, and no character is split")
    func foldedLines() throws {
        for name in [
            String(repeating: "é", count: 200), "x" + String(repeating: "é", count: 200),
            String(repeating: "🎵", count: 100), String(repeating: "a", count: 500),
            "👩‍👩‍👧‍👦 " + String(repeating: "\\;", count: 99),
        ] {
            let calendar = ConcertCalendar([try show(dated(name: name))], now: Self.now)
            let parts = calendar.bytes.split(separator: 0x0A)
            for part in parts {
                #expect(part.last == 0x0D && part.count <= 76)
                #expect(String(validating: part, as: UTF8.self) != nil)
            }
            #expect(parts.contains { $0.count >= 73 && $0.count <= 76 })
            let escaped = name.replacing("\\", with: "\\\\").replacing(";", with: "\\;")
            #expect(try lines(calendar).contains("DESCRIPTION:" + escaped))
        }
    }

    @Test("No name can add a line or a property")
    func hostileNames() throws {
        var event = dated(name: "A\r\nATTACH:https://evil\u{0}\u{85}\nB")
        event.ticketURL = "https://x.example/\r\nATTENDEE:mailto:a"
        let lines = try lines(of: show(event))
        #expect(!lines.contains { $0.hasPrefix("ATT") || $0.hasPrefix("URL") })
        #expect(lines.contains { $0.hasPrefix(#"DESCRIPTION:A\nATTACH:https://evil\nB\nTickets: "#) })
    }

    @Test("A file without entries has a count of 0")
    func emptyCalendar() throws {
        #expect(ConcertCalendar([], now: Self.now).count == 0)
    }

    /// The lines of a show that calendars read times from.
    private func times(_ event: ConcertEvent) throws -> [String] {
        try lines(of: show(event)).filter { $0.hasPrefix("DTSTART") || $0.hasPrefix("DTEND") }
    }

    @Test("If the venue's zone is known, times are in UTC; an end is included if it is known")
    func timesInTheVenuesZone() throws {
        var event = dated()
        event.startsAt = Timestamp(rfc3339: "2026-12-05T18:30:00Z")
        #expect(try times(event) == ["DTSTART:20261205T183000Z"])
        event.endsAt = Timestamp(rfc3339: "2026-12-06T01:00:00Z")
        #expect(try times(event) == ["DTSTART:20261205T183000Z", "DTEND:20261206T010000Z"])
        event.timeTBA = true
        #expect(try times(event) == ["DTSTART;VALUE=DATE:20261205"])
    }

    @Test("A show of several days covers all its days; an all-day entry ends on the day after the last one")
    func severalDays() throws {
        var event = dated()
        event.endDate = LocalDate("2026-12-31")
        #expect(try times(event) == ["DTSTART;VALUE=DATE:20261205", "DTEND;VALUE=DATE:20270101"])
        #expect(try lines(of: show(event)).contains(#"DESCRIPTION:Air\nBegins at 19:30 on the first day."#))
        event.startsAt = Timestamp(rfc3339: "2026-12-05T18:30:00Z")
        #expect(try times(event) == ["DTSTART;VALUE=DATE:20261205", "DTEND;VALUE=DATE:20270101"])
        event.endsAt = Timestamp(rfc3339: "2026-12-31T22:00:00Z")
        #expect(try times(event) == ["DTSTART:20261205T183000Z", "DTEND:20261231T220000Z"])
    }

    @Test("A stored show has the number of its changes and the time of the last one")
    func changesOfAStoredShow() throws {
        var event = dated()
        event.history = .init(revision: 0, changedAt: nil)
        let unchanged = try lines(of: show(event))
        #expect(unchanged.contains("SEQUENCE:0") && !unchanged.contains { $0.hasPrefix("LAST-MODIFIED") })
        event.history = .init(revision: 3, changedAt: Self.now)
        let moved = try lines(of: show(event))
        #expect(moved.contains("SEQUENCE:3") && moved.contains("LAST-MODIFIED:20261121T020304Z"))
    }
}
