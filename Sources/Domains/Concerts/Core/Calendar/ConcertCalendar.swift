import Model

/// Shows as a calendar file (RFC 5545), which is read once.
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
            writer.text("UID", show.calendarID)
            writer.utc("DTSTAMP", now)
            Self.writeTimes(of: show, on: date, to: &writer)
            if let history = show.calendar.history {
                writer.property("SEQUENCE", "\(history.revision)")
                if let changedAt = history.changedAt { writer.utc("LAST-MODIFIED", changedAt) }
            }
            show.writeCalendarDetails(in: .file, to: &writer)
            writer.end("VEVENT")
        }
        writer.end("VCALENDAR")
        bytes = writer.bytes
    }

    private static func writeTimes(of show: ConcertListItem, on date: LocalDate, to writer: inout CalendarWriter) {
        if let last = show.calendarLastDay {
            writer.days(date, through: last)
        } else if let startsAt = show.calendarStart {
            writer.utc("DTSTART", startsAt)
            if let endsAt = show.calendar.endsAt { writer.utc("DTEND", endsAt) }
        } else {
            writer.local("DTSTART", date, show.timeTBA ? nil : show.localTime)
        }
    }
}
