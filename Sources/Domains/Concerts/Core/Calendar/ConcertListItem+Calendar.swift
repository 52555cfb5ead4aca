import Model

/// What a calendar is written for.
enum CalendarForm {
    /// A file that is read once.
    case file
    /// An address that programs read again and again. What changes from lookup to lookup, such as prices, is left out.
    case subscription
}

/// What the entries of calendars have of a show, besides its times.
extension ConcertListItem {
    /// Ticketmaster's id stays the same when a show is moved, so that a later file or answer moves the entry.
    var calendarID: String { "ticketmaster-\(id)@backline" }

    /// When the show starts, if that is known to the minute.
    var calendarStart: Timestamp? { timeTBA || localTime == nil ? nil : calendar.startsAt }

    /// The last day of an entry of whole days, for a show of several days whose start or end is not known to the minute.
    var calendarLastDay: LocalDate? { calendarStart == nil || calendar.endsAt == nil ? endDate : nil }

    /// Writes the texts, the place, the link and the status.
    func writeCalendarDetails(in form: CalendarForm, to writer: inout CalendarWriter) {
        writer.text("SUMMARY", calendarSummary)
        if let place = calendarPlace { writer.text("LOCATION", place) }
        if let url = ticketURL, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) { writer.property("URL", url) }
        writer.property("STATUS", status.calendarStatus)
        writer.text("DESCRIPTION", calendarDescription(in: form))
    }

    /// The artists, preceded by the status, which many calendars do not show.
    private var calendarSummary: String {
        let mark =
            switch status {
            case .cancelled: "Cancelled: "
            case .postponed: "Postponed: "
            default: ""
            }
        return mark + ([artistName] + additionalArtists).joined(separator: ", ")
    }

    private var calendarPlace: String? {
        let parts = [venueName, venueAddress, city, countryCode].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func calendarDescription(in form: CalendarForm) -> String {
        var lines = [name]
        if !additionalArtists.isEmpty {
            lines.append("Line-up: " + ([artistName] + additionalArtists).joined(separator: ", "))
        }
        switch status {
        case .cancelled: lines.append("This show is cancelled.")
        case .postponed: lines.append("This show is postponed; the date may change.")
        case .rescheduled: lines.append("This show was moved to this date.")
        case .onsale, .offsale, .other: break
        }
        if timeTBA || localTime == nil {
            lines.append("The time is to be announced.")
        } else if let time = localTime, let note = timeNote(in: form) {
            lines.append("Begins at \(time.description.prefix(5))\(note).")
        }
        if form == .file, let price = priceRange { lines.append("Price: \(price)") }
        if let url = ticketURL { lines.append("Tickets: \(url)") }
        return lines.joined(separator: "\n")
    }

    /// What follows the time in a sentence of its own, where the entry does not show the time.
    private func timeNote(in form: CalendarForm) -> String? {
        if endDate != nil { return " on the first day" }
        return form == .subscription && calendar.startsAt == nil ? ", local time" : nil
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
