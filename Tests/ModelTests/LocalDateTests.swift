import Foundation
import Model
import Testing

@Suite("Local dates and times")
struct LocalDateTests {
    @Test(
        "Only existing days are read",
        arguments: [
            ("2026-11-20", true), ("2024-02-29", true), ("2000-02-29", true), ("2023-02-29", false),
            ("1900-02-29", false),
            ("2026-13-01", false), ("2026-00-10", false), ("2026-04-31", false), ("2026-4-01", false),
            ("20260401", false),
            ("2026-11-20T10:00:00", false), ("٢٠٢٦-١١-٢٠", false), ("", false), ("0000-01-01", false),
        ])
    func existingDays(text: String, isDate: Bool) {
        #expect(LocalDate(text)?.description == (isDate ? text : nil))
    }

    @Test("Day numbers are consecutive through leap years and centuries")
    func dayNumbers() throws {
        #expect(LocalDate("1970-01-01")?.dayNumber == 0)
        #expect(LocalDate("2000-03-01")?.dayNumber == 11_017)
        #expect(LocalDate("1969-12-31")?.dayNumber == -1)
        var previous = try #require(LocalDate("1899-12-28"))
        for number in (previous.dayNumber + 1)...(previous.dayNumber + 80_000) {
            let date = try #require(LocalDate(dayNumber: number))
            try #require(date.dayNumber == number)
            try #require(previous < date)
            try #require(previous.description < date.description)
            previous = date
        }
        #expect(try #require(LocalDate("2026-12-30")).days(to: try #require(LocalDate("2027-01-02"))) == 3)
    }

    @Test(
        "Times of day are read to the second",
        arguments: [
            ("19:30", "19:30:00"), ("19:30:05", "19:30:05"), ("00:00:00", "00:00:00"), ("23:59:59.999", "23:59:59"),
            ("24:00:00", nil), ("7:30", nil), ("19:60", nil), ("19:30:60", nil), ("evening", nil), ("", nil),
            ("19", nil),
        ])
    func timesOfDay(text: String, expected: String?) {
        #expect(LocalTime(text)?.description == expected)
    }

    @Test("Dates and times are encoded as texts")
    func encodedDates() throws {
        let date = try #require(LocalDate("2026-11-20"))
        let json = String(decoding: try JSONEncoder().encode([date]), as: UTF8.self)
        #expect(json == #"["2026-11-20"]"#)
        #expect(try JSONDecoder().decode([LocalDate].self, from: Data(json.utf8)) == [date])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([LocalDate].self, from: Data(#"["tomorrow"]"#.utf8))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([LocalTime].self, from: Data(#"["evening"]"#.utf8))
        }
    }
}
