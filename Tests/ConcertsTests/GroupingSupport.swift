import Concerts
import Model

/// An event with the fields that grouping uses.
func event(
    _ id: String, _ kind: ConcertKind = .show, name: String? = nil, bill: [String] = ["a"], venue: String? = "arena",
    city: String? = "Prague", on date: String? = "2027-06-04", at time: String? = "20:00", until last: String? = nil,
    status: ConcertStatus = .onsale, ticketURL: String? = "https://t/x"
) -> ConcertEvent {
    ConcertEvent(
        id: id, name: name ?? "Event \(id)", kind: kind, attractions: bill.map { .init(id: "K-\($0)", name: $0) },
        venue: ConcertVenue(id: venue.map { "V-\($0)-\(city ?? "")" }, name: venue, city: city),
        localDate: date.flatMap { LocalDate($0) }, localTime: time.flatMap { LocalTime($0) },
        endDate: last.flatMap { LocalDate($0) }, spansMultipleDays: last != nil, status: status, ticketURL: ticketURL)
}

/// The events of the artist `name` with this rank.
func source(_ name: String, rank: Int = 1, _ events: ConcertEvent...) -> ShowGrouping.Source {
    ShowGrouping.Source(
        artist: RankedArtist(id: "id-\(name)", name: name, rank: rank), attractionID: "K-\(name)", events: events)
}

extension ShowGrouping {
    /// Each row as its id, its other listings and its extras: `show=copy+parking`.
    var summary: [String] {
        rows.map { row in
            row.event.id + row.duplicates.map { "=\($0.id)" }.joined()
                + row.extras.map { "+\($0.id)" }.joined()
        }
    }
}
