import Model
import Testing

@testable import Releases

@Suite("Which releases are news")
struct ReleaseNewsTests {
    private static let noon = ReleaseFixture.noon

    @Test(
        "The first reading of a list makes news of what certainly came out within 30 days",
        arguments: [
            ("2026-11-30", true), ("2026-10-31", true), ("2026-10-30", false), ("2026-11", true), ("2026-10", false),
            ("2026", false), ("1987-05-01", false), ("2026-12-24", true), ("2027", true),
        ])
    func firstReading(date: String, isNews: Bool) throws {
        let date = try #require(ReleaseDate(date))
        #expect(ReleaseNews.isNews(date, lastReading: nil, now: Self.noon) == isNews)
    }

    @Test(
        "Later readings make news of what may have come out since 30 days before the last reading",
        arguments: [
            ("2026-11-30", true), ("2026-08-02", true), ("2026-08-01", false), ("2026-08", true), ("2026-07", false),
            ("2026", true), ("2025", false),
        ])
    func laterReading(date: String, isNews: Bool) throws {
        let date = try #require(ReleaseDate(date))
        // 1 September: Backline was off for three months.
        let last = ReleaseFixture.after(days: -90)
        #expect(ReleaseNews.isNews(date, lastReading: last, now: Self.noon) == isNews)
    }

    @Test("A release without a date is no news, and a clock that was ahead hides nothing")
    func oddTimes() throws {
        #expect(!ReleaseNews.isNews(nil, lastReading: Self.noon, now: Self.noon))
        let today = try #require(ReleaseDate("2026-11-30"))
        #expect(ReleaseNews.isNews(today, lastReading: ReleaseFixture.after(days: 900), now: Self.noon))
    }

    @Test(
        "A date means its days",
        arguments: [
            ("2024", "2024-01-01", "2024-12-31", "year"), ("2024-02", "2024-02-01", "2024-02-29", "month"),
            ("2024-02-29", "2024-02-29", "2024-02-29", "day"), ("0001", "0001-01-01", "0001-12-31", "year"),
            ("9999-12", "9999-12-01", "9999-12-31", "month"),
        ])
    func daysOfDates(text: String, first: String, last: String, precision: String) throws {
        let date = try #require(ReleaseDate(text))
        #expect(date.days.lowerBound == LocalDate(first)?.dayNumber)
        #expect(date.days.upperBound == LocalDate(last)?.dayNumber)
        #expect(date.precision == precision)
    }

    @Test("A release is out when its day begins in UTC")
    func outMoment() throws {
        #expect(
            ReleaseNews.outMoment(try #require(ReleaseDate("2026-12-04")))
                == Timestamp(rfc3339: "2026-12-04T00:00:00Z"))
        #expect(
            ReleaseNews.outMoment(try #require(ReleaseDate("2026-12"))) == Timestamp(rfc3339: "2026-12-01T00:00:00Z"))
        #expect(ReleaseNews.day(of: Timestamp(microseconds: -1)) == -1)
    }
}
