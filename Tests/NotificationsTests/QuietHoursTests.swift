import Foundation
import Model
import TestSupport
import Testing

@testable import Notifications

@Suite("Quiet hours")
struct QuietHoursTests {
    /// What it is about, the zone, the moment, start and end, and when the quiet hours end that the moment is in.
    private static let cases: [(String, String, String, String, String, String?)] = [
        ("an ordinary evening", "Europe/Berlin", "2026-01-15T20:59:59Z", "22:00", "07:00", nil),
        ("the first second", "Europe/Berlin", "2026-01-15T21:00:00Z", "22:00", "07:00", "2026-01-16T06:00:00Z"),
        ("around midnight", "Europe/Berlin", "2026-01-15T23:30:00Z", "22:00", "07:00", "2026-01-16T06:00:00Z"),
        ("the last second", "Europe/Berlin", "2026-01-16T05:59:59Z", "22:00", "07:00", "2026-01-16T06:00:00Z"),
        ("the end", "Europe/Berlin", "2026-01-16T06:00:00Z", "22:00", "07:00", nil),
        ("hours within a day, before", "Europe/Berlin", "2026-01-15T11:59:59Z", "13:00", "15:00", nil),
        ("hours within a day", "Europe/Berlin", "2026-01-15T12:00:00Z", "13:00", "15:00", "2026-01-15T14:00:00Z"),
        ("hours within a day, after", "Europe/Berlin", "2026-01-15T14:00:00Z", "13:00", "15:00", nil),
        ("all but a minute, in", "Europe/Berlin", "2026-01-15T12:00:00Z", "22:00", "21:59", "2026-01-15T20:59:00Z"),
        ("all but a minute, out", "Europe/Berlin", "2026-01-15T20:59:30Z", "22:00", "21:59", nil),
        ("from midnight", "Europe/Berlin", "2026-01-15T23:00:00Z", "00:00", "06:00", "2026-01-16T05:00:00Z"),
        ("until midnight", "Europe/Berlin", "2026-01-15T22:59:59Z", "22:00", "00:00", "2026-01-15T23:00:00Z"),
        ("midnight is the end", "Europe/Berlin", "2026-01-15T23:00:00Z", "22:00", "00:00", nil),
        ("UTC", "UTC", "2026-01-15T23:00:00Z", "22:00", "07:00", "2026-01-16T07:00:00Z"),
        (
            "forward: the end is in the gap", "Europe/Berlin", "2026-03-29T00:30:00Z", "22:00", "02:30",
            "2026-03-29T01:00:00Z"
        ),
        ("forward: right after the gap", "Europe/Berlin", "2026-03-29T01:00:00Z", "22:00", "02:30", nil),
        (
            "forward: the night is an hour shorter", "Europe/Berlin", "2026-03-29T00:59:59Z", "22:00", "07:00",
            "2026-03-29T05:00:00Z"
        ),
        (
            "forward: after the gap, before the end", "Europe/Berlin", "2026-03-29T04:59:59Z", "22:00", "07:00",
            "2026-03-29T05:00:00Z"
        ),
        ("forward: the end", "Europe/Berlin", "2026-03-29T05:00:00Z", "22:00", "07:00", nil),
        ("forward: the start is in the gap, before", "Europe/Berlin", "2026-03-29T00:59:59Z", "02:30", "05:00", nil),
        (
            "forward: the start is in the gap, after", "Europe/Berlin", "2026-03-29T01:00:00Z", "02:30", "05:00",
            "2026-03-29T03:00:00Z"
        ),
        ("forward: both are in the gap", "Europe/Berlin", "2026-03-29T01:00:00Z", "02:15", "02:45", nil),
        (
            "forward: the end is the end of the gap", "Europe/Berlin", "2026-03-29T00:59:59Z", "22:00", "03:00",
            "2026-03-29T01:00:00Z"
        ),
        (
            "forward: the start is the start of the gap", "Europe/Berlin", "2026-03-29T01:00:00Z", "02:00", "04:00",
            "2026-03-29T02:00:00Z"
        ),
        (
            "back: the end is shown twice, before the first", "Europe/Berlin", "2026-10-25T00:29:59Z", "22:00", "02:30",
            "2026-10-25T00:30:00Z"
        ),
        ("back: the end is shown twice, at the first", "Europe/Berlin", "2026-10-25T00:30:00Z", "22:00", "02:30", nil),
        (
            "back: the end is shown twice, before the second", "Europe/Berlin", "2026-10-25T01:15:00Z", "22:00",
            "02:30", nil
        ),
        (
            "back: the night is an hour longer", "Europe/Berlin", "2026-10-25T00:30:00Z", "22:00", "07:00",
            "2026-10-25T06:00:00Z"
        ),
        ("back: the second time", "Europe/Berlin", "2026-10-25T01:30:00Z", "22:00", "07:00", "2026-10-25T06:00:00Z"),
        ("back: the last hour", "Europe/Berlin", "2026-10-25T05:59:59Z", "22:00", "07:00", "2026-10-25T06:00:00Z"),
        (
            "back: the start is shown twice, before the first", "Europe/Berlin", "2026-10-25T00:29:59Z", "02:30",
            "05:00", nil
        ),
        (
            "back: the start is shown twice, after the first", "Europe/Berlin", "2026-10-25T00:45:00Z", "02:30",
            "05:00", "2026-10-25T04:00:00Z"
        ),
        (
            "back: the clock shows less than the start again", "Europe/Berlin", "2026-10-25T01:10:00Z", "02:30",
            "05:00", "2026-10-25T04:00:00Z"
        ),
        (
            "back: the end is when the clock was set back", "Europe/Berlin", "2026-10-25T01:30:00Z", "22:00", "03:00",
            "2026-10-25T02:00:00Z"
        ),
        (
            "back: both are shown twice, between the first", "Europe/Berlin", "2026-10-25T00:30:00Z", "02:15", "02:45",
            "2026-10-25T00:45:00Z"
        ),
        (
            "back: both are shown twice, between the second", "Europe/Berlin", "2026-10-25T01:30:00Z", "02:15", "02:45",
            nil
        ),
        ("forward in New York", "America/New_York", "2026-03-08T06:30:00Z", "23:00", "02:30", "2026-03-08T07:00:00Z"),
        ("back in New York", "America/New_York", "2026-11-01T05:40:00Z", "23:00", "01:30", nil),
        (
            "back in New York, before the end", "America/New_York", "2026-11-01T05:20:00Z", "23:00", "01:30",
            "2026-11-01T05:30:00Z"
        ),
        ("forward in Sydney", "Australia/Sydney", "2026-10-03T15:30:00Z", "22:00", "02:30", "2026-10-03T16:00:00Z"),
        ("back in Sydney", "Australia/Sydney", "2026-04-04T15:40:00Z", "22:00", "02:30", nil),
        (
            "half an hour forward", "Australia/Lord_Howe", "2026-10-03T15:29:00Z", "22:00", "02:15",
            "2026-10-03T15:30:00Z"
        ),
        ("half an hour back", "Australia/Lord_Howe", "2026-04-04T14:50:00Z", "22:00", "01:45", nil),
        ("half an hour back, the second time", "Australia/Lord_Howe", "2026-04-04T15:10:00Z", "22:00", "01:45", nil),
        (
            "forward at midnight in Havana, from midnight", "America/Havana", "2026-03-08T04:59:59Z", "00:00", "06:00",
            nil
        ),
        (
            "forward at midnight in Havana, after", "America/Havana", "2026-03-08T05:00:00Z", "00:00", "06:00",
            "2026-03-08T10:00:00Z"
        ),
        (
            "forward over the end at midnight in Havana", "America/Havana", "2026-03-08T04:30:00Z", "22:00", "00:30",
            "2026-03-08T05:00:00Z"
        ),
        (
            "back over midnight in Havana, the first time", "America/Havana", "2026-11-01T04:30:00Z", "22:00", "00:15",
            nil
        ),
        (
            "back over midnight in Havana, before the end", "America/Havana", "2026-11-01T04:10:00Z", "22:00", "00:15",
            "2026-11-01T04:15:00Z"
        ),
        (
            "back to yesterday in Beirut, the first time", "Asia/Beirut", "2021-10-30T20:30:00Z", "23:30", "06:00",
            "2021-10-31T04:00:00Z"
        ),
        (
            "back to yesterday in Beirut, before the start again", "Asia/Beirut", "2021-10-30T21:10:00Z", "23:30",
            "06:00", "2021-10-31T04:00:00Z"
        ),
        (
            "Samoa: the night before the missing day", "Pacific/Apia", "2011-12-30T09:00:00Z", "22:00", "07:00",
            "2011-12-30T17:00:00Z"
        ),
        (
            "Samoa: the last second before it", "Pacific/Apia", "2011-12-30T09:59:59Z", "22:00", "07:00",
            "2011-12-30T17:00:00Z"
        ),
        ("Samoa: after it", "Pacific/Apia", "2011-12-30T10:00:00Z", "22:00", "07:00", "2011-12-30T17:00:00Z"),
        ("Samoa: hours that only the missing day had", "Pacific/Apia", "2011-12-30T09:59:59Z", "13:00", "15:00", nil),
        ("45 minutes: Kathmandu", "Asia/Kathmandu", "2026-01-15T16:15:00Z", "22:00", "07:00", "2026-01-16T01:15:00Z"),
        ("half hours: Kolkata", "Asia/Kolkata", "2026-01-16T01:29:59Z", "22:00", "07:00", "2026-01-16T01:30:00Z"),
        (
            "the latest clock: Kiritimati", "Pacific/Kiritimati", "2026-01-15T08:00:00Z", "22:00", "07:00",
            "2026-01-15T17:00:00Z"
        ),
        ("the earliest clock: Niue", "Pacific/Niue", "2026-01-15T09:00:00Z", "22:00", "07:00", "2026-01-15T18:00:00Z"),
        ("travel: at the departure", "Europe/Berlin", "2026-06-01T21:00:00Z", "22:00", "07:00", "2026-06-02T05:00:00Z"),
        (
            "travel: the same moment at the arrival in the west", "America/New_York", "2026-06-01T21:00:00Z", "22:00",
            "07:00", nil
        ),
        (
            "travel: the same moment at the arrival in the east", "Asia/Tokyo", "2026-06-01T21:00:00Z", "22:00",
            "07:00", "2026-06-01T22:00:00Z"
        ),
        ("travel: quiet there, too", "Asia/Dubai", "2026-06-01T21:00:00Z", "22:00", "07:00", "2026-06-02T03:00:00Z"),
        ("travel: over the date line", "Pacific/Auckland", "2026-06-01T21:00:00Z", "22:00", "07:00", nil),
    ]

    @Test("They begin and end by the clock on the wall, also where it is changed and when somebody travels")
    func table() throws {
        #expect(Self.cases.count >= 60)
        for (about, zone, moment, start, end, expected) in Self.cases {
            let hours = try #require(QuietHours(start: Self.minutes(start), end: Self.minutes(end)))
            let now = try #require(Timestamp(rfc3339: moment))
            #expect(hours.end(at: now, zone: zone) == expected.flatMap(Timestamp.init(rfc3339:)), "\(about)")
        }
    }

    @Test("Times that are none, and hours that never end, are refused")
    func bounds() {
        #expect(QuietHours(start: 60, end: 60) == nil)
        #expect(QuietHours(start: -1, end: 60) == nil)
        #expect(QuietHours(start: 60, end: 1_440) == nil)
        #expect(QuietHours(start: 0, end: 1_439) != nil)
    }

    @Test("A profile without a zone, or with one that is unknown, has the hours of UTC")
    func unknownZone() throws {
        let hours = try #require(QuietHours(start: 0, end: 60))
        let now = try #require(Timestamp(rfc3339: "2026-01-15T00:30:00Z"))
        let end = try #require(Timestamp(rfc3339: "2026-01-15T01:00:00Z"))
        for zone in [nil, "", "Atlantis/Capital"] { #expect(hours.end(at: now, zone: zone) == end) }
    }

    @Test("10,000 random moments agree with the reference in Python: none ends early, none is lost")
    func reference() async throws {
        let zones = [
            "UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns", "America/Havana",
            "America/Sao_Paulo", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Auckland",
            "Pacific/Chatham", "Pacific/Kiritimati", "Pacific/Niue", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Beirut",
            "Asia/Tehran", "Africa/Cairo", "Atlantic/Azores",
        ]
        // The clock is changed in these years of every zone but a few, and every database of zones knows them.
        let (first, last) = (1_199_145_600, 1_609_459_200)
        var random = SeededRandom(seed: 41)
        let cases = (0..<10_000).map { number -> (second: Int, zone: String, hours: QuietHours) in
            let zone = zones[number % zones.count]
            let second = Int.random(in: first...last, using: &random)
            // Every other moment is near a change of the clock, if the zone has one within half a year.
            let near = number.isMultiple(of: 2) ? Self.change(after: second, in: zone) : nil
            let moment = near.map { $0 + Int.random(in: -100_000...100_000, using: &random) } ?? second
            while true {
                let (start, end) = (
                    Int.random(in: 0..<1_440, using: &random), Int.random(in: 0..<1_440, using: &random)
                )
                if let hours = QuietHours(start: start, end: end) { return (moment, zone, hours) }
            }
        }
        let expected = try await Self.answers(
            of: cases.map { "\($0.second) \($0.zone) \($0.hours.start) \($0.hours.end)" })
        #expect(expected.count == cases.count)
        var differences: [String] = []
        for (one, answer) in zip(cases, expected) {
            let now = Timestamp(microseconds: Int64(one.second) * 1_000_000)
            let end = one.hours.end(at: now, zone: one.zone).map { String($0.microseconds / 1_000_000) } ?? "-"
            if end != answer { differences.append("\(one): \(end), not \(answer)") }
        }
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(3))")
    }

    private static func minutes(_ text: String) -> Int {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        return parts[0] * 60 + parts[1]
    }

    private static func change(after second: Int, in zone: String) -> Int? {
        let zone = TimeZone(identifier: zone)
        let date = Date(timeIntervalSince1970: Double(second))
        return zone?.nextDaylightSavingTimeTransition(after: date).flatMap { change in
            let distance = change.timeIntervalSince(date)
            return distance < 180 * 86_400 ? Int(change.timeIntervalSince1970) : nil
        }
    }

    /// What the reference answers.
    private static func answers(of lines: [String]) async throws -> [String] {
        let folder = try TemporaryFolder()
        let input = folder.file("cases")
        try lines.joined(separator: "\n").write(toFile: input, atomically: true, encoding: .utf8)
        let process = try await ChildProcess.run(
            try #require(Executable.tool("python3")),
            ["-B", Repository.path("Tests/NotificationsTests/quiet_hours.py"), input])
        #expect(process.end == .exited(0), "\(process.errors.lines)")
        return process.output.lines
    }
}
