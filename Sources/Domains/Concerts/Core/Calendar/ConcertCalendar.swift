import Model

/// Shows as a calendar file (RFC 5545).
///
/// It contains only known values: a show without a date is left out and counted, and one without a time takes up the
/// whole day. Times are in UTC if the venue's time zone is known, so that every calendar shows the right hour at the
/// venue; the others are the venue's local times, without a zone. A show has an end if it was announced; by section
/// 3.6.1 an entry without an end ends when it starts, and calendars show a short entry. A show that lasts several days
/// takes up whole days unless both its start and its end are known to the minute.
///
/// `SEQUENCE` counts the changes of name, times, place and status since the show was first stored, and `LAST-MODIFIED`
/// is the time of the last one, so that a calendar that imports a later file replaces its entry.
package struct ConcertCalendar {
    package let bytes: [UInt8]
    /// The number of shows in the file, which are those with a date.
    package let count: Int

    /// - Parameter now: when the file is created.
    package init(_ shows: [ConcertListItem], now: Timestamp) {
        let dated = shows.compactMap { show in show.dateTBA ? nil : show.localDate.map { (show, $0) } }
        count = dated.count
        var writer = CalendarWriter()
        writer.begin("VCALENDAR")
        writer.property("VERSION", "2.0")
        writer.text("PRODID", "-//Backline//Concerts//EN")
        writer.property("CALSCALE", "GREGORIAN")
        if shows.count > count { writer.property("X-BACKLINE-SHOWS-WITHOUT-DATE", "\(shows.count - count)") }
        for (show, date) in dated {
            writer.begin("VEVENT")
            // Ticketmaster's id stays the same when a show is moved, so that importing a later file moves the entry.
            writer.text("UID", "ticketmaster-\(show.id)@backline")
            writer.utc("DTSTAMP", now)
            Self.writeTimes(of: show, on: date, to: &writer)
            if let history = show.calendar.history {
                writer.property("SEQUENCE", "\(history.revision)")
                if let changedAt = history.changedAt { writer.utc("LAST-MODIFIED", changedAt) }
            }
            writer.text("SUMMARY", Self.summary(of: show))
            if let place = Self.place(of: show) { writer.text("LOCATION", place) }
            if let url = show.ticketURL, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
                writer.property("URL", url)
            }
            writer.property("STATUS", show.status.calendarStatus)
            writer.text("DESCRIPTION", Self.description(of: show))
            writer.end("VEVENT")
        }
        writer.end("VCALENDAR")
        bytes = writer.bytes
    }

    private static func writeTimes(of show: ConcertListItem, on date: LocalDate, to writer: inout CalendarWriter) {
        let time = show.timeTBA ? nil : show.localTime
        let (startsAt, endsAt) = (time == nil ? nil : show.calendar.startsAt, show.calendar.endsAt)
        if let last = show.endDate, startsAt == nil || endsAt == nil {
            writer.local("DTSTART", date, nil)
            // The end of an all-day entry is the day after the last one (section 3.6.1).
            if let end = LocalDate(dayNumber: last.dayNumber + 1) { writer.local("DTEND", end, nil) }
        } else if let startsAt {
            writer.utc("DTSTART", startsAt)
            if let endsAt { writer.utc("DTEND", endsAt) }
        } else {
            writer.local("DTSTART", date, time)
        }
    }

    /// The artists, preceded by the status, which many calendars do not show.
    private static func summary(of show: ConcertListItem) -> String {
        let mark =
            switch show.status {
            case .cancelled: "Cancelled: "
            case .postponed: "Postponed: "
            default: ""
            }
        return mark + ([show.artistName] + show.additionalArtists).joined(separator: ", ")
    }

    private static func place(of show: ConcertListItem) -> String? {
        let parts = [show.venueName, show.venueAddress, show.city, show.countryCode].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func description(of show: ConcertListItem) -> String {
        var lines = [show.name]
        if !show.additionalArtists.isEmpty {
            lines.append("Line-up: " + ([show.artistName] + show.additionalArtists).joined(separator: ", "))
        }
        switch show.status {
        case .cancelled: lines.append("This show is cancelled.")
        case .postponed: lines.append("This show is postponed; the date may change.")
        case .rescheduled: lines.append("This show was moved to this date.")
        case .onsale, .offsale, .other: break
        }
        if show.timeTBA || show.localTime == nil {
            lines.append("The time is to be announced.")
        } else if show.endDate != nil, let time = show.localTime {
            lines.append("Begins at \(time.description.prefix(5)) on the first day.")
        }
        if let price = show.priceRange { lines.append("Price: \(price)") }
        if let url = show.ticketURL { lines.append("Tickets: \(url)") }
        return lines.joined(separator: "\n")
    }
}

extension ConcertStatus {
    /// RFC 5545, section 3.8.1.11.
    fileprivate var calendarStatus: String {
        switch self {
        case .cancelled: "CANCELLED"
        case .postponed: "TENTATIVE"
        case .onsale, .offsale, .rescheduled, .other: "CONFIRMED"
        }
    }
}
