import Foundation
import Model
import Testing

@testable import Concerts

@Suite("Time zones of calendars")
struct CalendarZoneTests {
    private static func moment(_ text: String) -> Timestamp { Timestamp(rfc3339: text)! }

    private static func lines(_ zone: CalendarZone) -> [String] {
        var writer = CalendarWriter()
        zone.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self).components(separatedBy: "\r\n").dropLast()
    }

    /// The offsets of a written zone, as a program reads them: from each moment on, in seconds.
    private static func offsets(_ zone: CalendarZone) throws -> [(at: Int, offset: Int)] {
        var found: [(at: Int, offset: Int)] = []
        var (start, from) = ("", 0)
        func seconds(_ text: Substring) throws -> Int {
            let digits = try #require(Int(text.dropFirst()))
            let size = digits / 100 * 3_600 + digits % 100 * 60
            return text.hasPrefix("-") ? -size : size
        }
        for line in lines(zone) {
            let value = line.split(separator: ":", maxSplits: 1).last ?? ""
            if line.hasPrefix("DTSTART:") { start = String(value) }
            if line.hasPrefix("TZOFFSETFROM:") { from = try seconds(value) }
            guard line.hasPrefix("TZOFFSETTO:") else { continue }
            let text = start.prefix(4) + "-" + start.dropFirst(4).prefix(2) + "-" + start.dropFirst(6).prefix(2)
            let day = try #require(LocalDate(String(text))).dayNumber
            let clock = try #require(Int(start.dropFirst(9)))
            let local = day * 86_400 + clock / 10_000 * 3_600 + clock / 100 % 100 * 60 + clock % 100
            found.append((at: local - from, offset: try seconds(value)))
        }
        return found
    }

    @Test(
        "Each hour of three years has the zone's offset, in the component and in local times",
        arguments: [
            "Europe/Prague", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu",
            "Europe/Dublin", "Pacific/Chatham", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Gaza", "Etc/UTC",
        ])
    func everyHour(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let first = Int(Self.moment("2026-01-01T00:00:00Z").microseconds / 1_000_000)
        let hours = stride(from: first, to: first + 3 * 365 * 86_400, by: 3_600)
        let written = try #require(
            CalendarZone(name, for: hours.map { Timestamp(microseconds: Int64($0) * 1_000_000) }))
        let offsets = try Self.offsets(written)
        #expect(offsets.count <= 5 * 3 + 1)
        var repeated = 0
        for hour in hours {
            let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(hour)))
            #expect(offsets.last { $0.at <= hour }?.offset == offset)
            guard let local = written.local(Timestamp(microseconds: Int64(hour) * 1_000_000)) else {
                repeated += 1
                continue
            }
            #expect(local.date.dayNumber * 86_400 + local.time.secondOfDay == hour + offset)
        }
        // An hour at most in each autumn; Lord Howe's half hour has no whole one.
        #expect(repeated <= 3)
    }

    @Test(
        "A change of the clocks is written with the local time before it, and the larger offset is daylight saving time"
    )
    func component() throws {
        let zone = try #require(
            CalendarZone("America/New_York", for: [Self.moment("2026-07-04T00:00:00Z")]))
        #expect(
            Self.lines(zone) == [
                "BEGIN:VTIMEZONE", "TZID:America/New_York",
                "BEGIN:STANDARD", "DTSTART:20251230T190000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0500", "TZNAME:-0500",
                "END:STANDARD",
                "BEGIN:DAYLIGHT", "DTSTART:20260308T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400", "TZNAME:-0400",
                "END:DAYLIGHT",
                "BEGIN:STANDARD", "DTSTART:20261101T020000", "TZOFFSETFROM:-0400", "TZOFFSETTO:-0500", "TZNAME:-0500",
                "END:STANDARD",
                "END:VTIMEZONE",
            ])
        let south = try #require(
            CalendarZone("Australia/Lord_Howe", for: [Self.moment("2026-07-04T00:00:00Z")]))
        #expect(
            Self.lines(south)[2...6].elementsEqual([
                "BEGIN:DAYLIGHT", "DTSTART:20251231T110000", "TZOFFSETFROM:+1100", "TZOFFSETTO:+1100", "TZNAME:+1100",
            ]))
    }

    @Test("A local time that a change of the clocks repeats stands for the first of both; the second has none")
    func repeatedHour() throws {
        let (first, second) = (Self.moment("2026-11-01T05:30:00Z"), Self.moment("2026-11-01T06:30:00Z"))
        let zone = try #require(CalendarZone("America/New_York", for: [first]))
        #expect(zone.local(first)?.basicFormat == "20261101T013000")
        #expect(zone.local(second) == nil)
        #expect(zone.local(Self.moment("2026-11-01T07:00:00Z"))?.basicFormat == "20261101T020000")
    }

    @Test("A zone covers five years; a moment outside of them has no local time")
    func coverage() throws {
        let zone = try #require(
            CalendarZone(
                "Europe/Prague",
                for: [Self.moment("2026-07-04T00:00:00Z"), Self.moment("9999-12-31T23:59:59Z")]))
        #expect(zone.local(Self.moment("2030-12-31T22:00:00Z"))?.basicFormat == "20301231T230000")
        for outside in ["2025-12-01T00:00:00Z", "2031-02-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            #expect(zone.local(Self.moment(outside)) == nil, "\(outside)")
        }
        #expect(Self.lines(zone).filter { $0.hasPrefix("BEGIN:") }.count == 12)
        for moment in [Int64.min, .max, 0, -1] {
            let extreme = Timestamp(microseconds: moment)
            #expect(zone.local(extreme) == nil)
            _ = CalendarZone("Europe/Prague", for: [extreme])
        }
        #expect(CalendarZone("Europe/Prague", for: []) == nil)
    }

    @Test(
        "A name that no zone has, or that would need quotes, is no zone",
        arguments: [
            "", "Mars/Olympus", "Europe/Prague\r\nX:1", "Europe/Prague;X=1", "Europe:Prague", "\"Europe/Prague\"",
            "Evropa/Pařiž", String(repeating: "A", count: 65),
        ])
    func unknownZones(name: String) {
        #expect(CalendarZone(name, for: [Self.moment("2026-07-04T00:00:00Z")]) == nil)
    }
}
