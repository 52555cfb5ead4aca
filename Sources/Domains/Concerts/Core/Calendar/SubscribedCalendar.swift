import Model

/// A person's calendar, as programs read it that subscribe to its address (RFC 5545, RFC 7986).
///
/// It has the same bytes as long as its shows are the same: `DTSTAMP` and `LAST-MODIFIED` are when what calendars show
/// of a listing last changed, and `SEQUENCE` is how often it has. Times are those of the venue's clocks, with the
/// component `VTIMEZONE` of its zone. A show whose zone is unknown takes up its whole day, and the description has the
/// time: programs take a time without a zone for UTC in a calendar that they subscribe to.
///
/// No show makes its person busy (`TRANSP`): it takes place whether or not they go there.
package struct SubscribedCalendar {
    package let bytes: [UInt8]

    /// How often a program should read it. Many read at times of their own.
    private static let interval = "PT6H"

    /// - Parameter madeAt: when the calendar's address was made; before that, nobody can have read it.
    package init(_ shows: [CalendarShow], madeAt: Timestamp) {
        var entries = EntryWriter(zones: Self.zones(of: shows), madeAt: madeAt)
        for show in shows { entries.write(show) }
        var writer = CalendarWriter()
        writer.begin("VCALENDAR")
        writer.property("VERSION", "2.0")
        writer.text("PRODID", "-//Backline//Concerts//EN")
        writer.property("CALSCALE", "GREGORIAN")
        writer.property("METHOD", "PUBLISH")
        writer.text("NAME", "Concerts")
        writer.text("X-WR-CALNAME", "Concerts")
        writer.property("REFRESH-INTERVAL;VALUE=DURATION", Self.interval)
        writer.property("X-PUBLISHED-TTL", Self.interval)
        for name in entries.usedZones.sorted() { entries.zones[name]?.write(to: &writer) }
        // A calendar needs a component (section 3.6), and this one shows nothing.
        if shows.isEmpty { CalendarZone("Etc/UTC", for: [madeAt])?.write(to: &writer) }
        writer.append(entries.writer)
        writer.end("VCALENDAR")
        bytes = writer.bytes
    }

    /// The zones of the venues, by name.
    private static func zones(of shows: [CalendarShow]) -> [String: CalendarZone] {
        var moments: [String: [Timestamp]] = [:]
        for show in shows {
            guard let name = show.item.calendar.timeZone, let start = show.item.calendarStart else { continue }
            moments[name, default: []] += [start] + (show.item.calendar.endsAt.map { [$0] } ?? [])
        }
        return moments.reduce(into: [:]) { zones, entry in
            zones[entry.key] = CalendarZone(entry.key, for: entry.value)
        }
    }
}

/// Writes the entries, and finds which zones they need.
private struct EntryWriter {
    let zones: [String: CalendarZone]
    let madeAt: Timestamp
    var writer = CalendarWriter()
    var usedZones: Set<String> = []

    init(zones: [String: CalendarZone], madeAt: Timestamp) {
        self.zones = zones
        self.madeAt = madeAt
    }

    mutating func write(_ show: CalendarShow) {
        let item = show.item
        let history = item.calendar.history
        let changedAt = history?.changedAt ?? show.firstSeenAt ?? madeAt
        writer.begin("VEVENT")
        writer.text("UID", item.calendarID)
        writer.utc("DTSTAMP", changedAt)
        writer.utc("LAST-MODIFIED", changedAt)
        writer.property("SEQUENCE", "\(history?.revision ?? 0)")
        writeTimes(of: show)
        writer.property("TRANSP", "TRANSPARENT")
        item.writeCalendarDetails(in: .subscription, to: &writer)
        writer.end("VEVENT")
    }

    private mutating func writeTimes(of show: CalendarShow) {
        let item = show.item
        if let last = item.calendarLastDay {
            writer.days(show.date, through: last)
        } else if let startsAt = item.calendarStart {
            let zone = item.calendar.timeZone.flatMap { zones[$0] }
            write("DTSTART", startsAt, in: zone)
            if let endsAt = item.calendar.endsAt { write("DTEND", endsAt, in: zone) }
        } else {
            writer.local("DTSTART", show.date, nil)
        }
    }

    /// A moment on the venue's clocks, or in UTC where these cannot express it.
    private mutating func write(_ name: String, _ moment: Timestamp, in zone: CalendarZone?) {
        guard let zone, let local = zone.local(moment) else { return writer.utc(name, moment) }
        usedZones.insert(zone.name)
        writer.zoned(name, local, in: zone)
    }
}
