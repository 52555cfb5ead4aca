import CommandSupport
import Model

/// The shows of a search as a table.
struct ConcertTable {
    /// Marks shows in the home city. A line below the table explains it.
    static let homeMark = "★"

    let shows: [SearchShow]

    /// No line is wider than `width` columns.
    func lines(width: Int, isColored: Bool) -> [String] {
        TableLayout(columns, width: width).lines(isColored: isColored)
    }

    private var columns: [TableColumn] {
        [
            TableColumn(
                title: "#", cells: shows.map { .init($0.artistRank.map(String.init) ?? "") }, dropOrder: 8,
                isNumber: true),
            TableColumn(
                title: "Artist", cells: shows.map { .init(Self.artists(of: $0), style: $0.isHomeCity ? .bold : nil) },
                minimum: 10),
            TableColumn(title: "Date", cells: shows.map { .init(Self.date(of: $0)) }, dropOrder: 9),
            TableColumn(title: "Time", cells: shows.map { .init(Self.time(of: $0)) }, dropOrder: 6),
            TableColumn(title: "Venue", cells: shows.map { .init(Self.text($0.venueName)) }, minimum: 10, dropOrder: 3),
            TableColumn(title: "City", cells: shows.map { .init(Self.city(of: $0)) }, minimum: 8, dropOrder: 7),
            TableColumn(
                title: "", cells: shows.map { .init($0.isHomeCity ? Self.homeMark : "", style: .green) }, dropOrder: 5),
            TableColumn(title: "Status", cells: shows.map { Self.status(of: $0) }, dropOrder: 4),
            TableColumn(title: "Price", cells: shows.map { .init(Self.text($0.priceRange)) }, dropOrder: 1),
            TableColumn(title: "Extras", cells: shows.map { .init(Self.extras(of: $0), style: .faint) }, dropOrder: 2),
        ]
    }

    /// The artist of the row, then the rest of the bill.
    static func artists(of show: SearchShow) -> String {
        ([show.artistName] + show.additionalArtists).map(TextWidth.printable).joined(separator: ", ")
    }

    /// `2026-11-20 Fri`
    static func date(of show: SearchShow) -> String {
        guard !show.dateTBA, let date = show.localDate else { return "date TBA" }
        return "\(date) \(weekday(of: date))"
    }

    static func weekday(of date: LocalDate) -> String {
        // 1970-01-01, day 0, was a Thursday.
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        return weekdays[((date.dayNumber % 7) + 7) % 7]
    }

    /// `20:00`; empty for a show without a time, such as a festival.
    static func time(of show: SearchShow) -> String {
        if show.timeTBA { return "time TBA" }
        return show.localTime.map { String($0.description.prefix(5)) } ?? ""
    }

    static func city(of show: SearchShow) -> String {
        [show.city, show.countryCode].compactMap { $0 }.map(TextWidth.printable).joined(separator: ", ")
    }

    /// The status of a show that does not take place as first announced; empty for the others.
    static func status(of show: SearchShow) -> TableColumn.Cell {
        switch show.status {
        case .cancelled: .init("cancelled", style: .red)
        case .postponed: .init("postponed", style: .yellow)
        case .rescheduled: .init("rescheduled", style: .yellow)
        case .onsale, .offsale, .other: .init("")
        }
    }

    static func extras(of show: SearchShow) -> String {
        switch show.extras.count {
        case 0: ""
        case 1: "+1 extra"
        case let count: "+\(count) extras"
        }
    }

    private static func text(_ value: String?) -> String { value.map(TextWidth.printable) ?? "" }
}
