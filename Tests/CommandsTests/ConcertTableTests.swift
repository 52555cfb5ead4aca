import Foundation
import Testing

@testable import CommandSupport
@testable import ConcertsCommands

@Suite("The table of shows")
struct ConcertTableTests {
    private func lines(_ shows: [SearchShow], width: Int = 120) -> [String] {
        ConcertTable(shows: shows).lines(width: width, isColored: false)
    }

    @Test("A row has rank, artist, date with weekday, time, venue, city with country, and notes")
    func columnsOfARow() throws {
        let shows = [
            try SearchPages.show([
                "isHomeCity": true, "priceRange": "CZK 990", "extras": [["name": "VIP"], ["name": "Parking"]],
            ]),
            try SearchPages.show([
                "artistName": "Kabát", "artistRank": 12, "additionalArtists": ["Coldplay"], "status": "postponed",
                "localDate": NSNull(), "dateTBA": true, "localTime": NSNull(), "timeTBA": true, "venueName": NSNull(),
                "city": "Brno",
            ]),
        ]
        #expect(
            lines(shows) == [
                " #  Artist           Date            Time      Venue     City            "
                    + "Status     Price    Extras",
                " 1  Imagine Dragons  2026-11-20 Fri  20:00     O2 arena  Praha 9, CZ  ★  "
                    + "           CZK 990  +2 extras",
                "12  Kabát, Coldplay  date TBA        time TBA            Brno, CZ        "
                    + "postponed",
            ])
    }

    @Test("Empty columns are left out")
    func emptyColumns() throws {
        #expect(
            lines([try SearchPages.show()]) == [
                "#  Artist           Date            Time   Venue     City",
                "1  Imagine Dragons  2026-11-20 Fri  20:00  O2 arena  Praha 9, CZ",
            ])
    }

    @Test(
        "The weekday is right before and after 1970",
        arguments: [
            ("2026-11-20", "Fri"), ("1970-01-01", "Thu"), ("1969-12-31", "Wed"), ("2028-02-29", "Tue"),
            ("2027-01-03", "Sun"),
        ])
    func weekdayAround1970(date: String, expected: String) throws {
        #expect(ConcertTable.date(of: try SearchPages.show(["localDate": date])) == "\(date) \(expected)")
    }

    @Test("A date that is to be announced is not shown, even if there is one")
    func unannouncedDate() throws {
        #expect(ConcertTable.date(of: try SearchPages.show(["dateTBA": true])) == "date TBA")
        #expect(ConcertTable.time(of: try SearchPages.show(["timeTBA": true])) == "time TBA")
        // A festival day has no single time, so none will be announced.
        #expect(ConcertTable.time(of: try SearchPages.show(["localTime": NSNull()])) == "")
    }

    @Test("No line is wider than the terminal, however narrow, and every row is kept", arguments: 1...160)
    func rowsFitTheTerminal(width: Int) throws {
        let shows = [
            try SearchPages.show([
                "artistName": "Nick Cave & The Bad Seeds", "venueName": "Ernst-Happel-Stadion und noch viel mehr davon",
                "city": "Llanfairpwllgwyngyllgogerych", "isHomeCity": true, "priceRange": "EUR 77.69–88.34",
                "status": "rescheduled", "extras": [["name": "VIP"]],
            ]),
            try SearchPages.show(["artistName": "東京事変と椎名林檎とすごい仲間たち", "venueName": "日本武道館", "city": "東京"]),
        ]
        let lines = lines(shows, width: width)
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { TextWidth.of($0) <= width }, "\(lines.joined(separator: "\n"))")
        #expect(lines.allSatisfy { !$0.isEmpty && $0.last != " " })
    }

    @Test("On 80 columns, long names are cut, and the least important columns are left out first")
    func narrowTerminal() throws {
        let show = try SearchPages.show([
            "artistName": "Nick Cave & The Bad Seeds", "venueName": "Ernst-Happel-Stadion und noch mehr",
            "city": "Wien", "countryCode": "AT", "isHomeCity": true, "priceRange": "EUR 77.69–88.34",
            "status": "rescheduled",
        ])
        #expect(
            lines([show], width: 80) == [
                "#  Artist         Date            Time   Venue          City         Status",
                "1  Nick Cave &…   2026-11-20 Fri  20:00  Ernst-Happel…  Wien, AT  ★  rescheduled",
            ])
    }

    @Test("Wide characters do not misalign later columns")
    func wideCharacters() throws {
        let lines = lines([
            try SearchPages.show(["artistName": "東京事変", "venueName": "武道館"]),
            try SearchPages.show(["artistName": "Muse", "venueName": "Wembley"]),
        ])
        let columns = lines.dropFirst().map { line in
            line.range(of: "2026").map { TextWidth.of(line[..<$0.lowerBound]) }
        }
        #expect(columns == [13, 13])
    }

    @Test("Colors are added to the text and do not change it")
    func colorsLeaveTheText() throws {
        let shows = [try SearchPages.show(["status": "cancelled", "isHomeCity": true])]
        let plain = ConcertTable(shows: shows).lines(width: 120, isColored: false)
        let coloured = ConcertTable(shows: shows).lines(width: 120, isColored: true)
        #expect(plain.allSatisfy { !$0.contains("\u{1B}") })
        #expect(coloured.allSatisfy { $0.contains("\u{1B}[") })
        #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9]+m/, with: "") } == plain)
    }
}
