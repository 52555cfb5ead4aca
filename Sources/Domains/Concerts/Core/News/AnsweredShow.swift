import Model

/// A show in an answer: the listing that represents it, and its other listings and extras.
struct AnsweredShow: Sendable {
    let main: ConcertEvent
    /// The ids of all listings, with that of ``main``.
    let listings: [String]

    /// The last day of the show, in days since 1970; `nil` when it is unknown, and 0 for a cancelled show.
    var day: Int? {
        main.status == .cancelled ? 0 : (main.endDate ?? main.localDate)?.dayNumber
    }

    /// The shows of an answer, of which an extra is none.
    static func all(in events: [ConcertEvent], names: CityNames) -> [AnsweredShow] {
        let grouping = ShowGrouping(
            [ShowGrouping.Source(artist: nil, events: events)],
            options: .init(includesCancelled: true, cityNames: names))
        return grouping.rows.filter { $0.event.kind == .show }.map { row in
            AnsweredShow(
                main: row.event, listings: ([row.event] + row.duplicates + row.extras + row.duplicateExtras).map(\.id))
        }
    }
}
