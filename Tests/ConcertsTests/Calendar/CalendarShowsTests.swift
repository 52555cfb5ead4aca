import Model
import Storage
import Testing

@testable import Concerts

@Suite("The shows of a person's calendar")
struct CalendarShowsTests {
    /// Each show of a calendar as its id, its revision and its status.
    private static func shown(
        _ fixture: NewsFixture, to userID: String, near city: String? = nil, onDay day: Int = 28
    ) async throws -> [String] {
        try await shows(fixture, to: userID, near: city, onDay: day).map { show in
            "\(show.item.id).\(show.item.calendar.history?.revision ?? -1) \(show.item.status.code)"
        }
    }

    private static func shows(
        _ fixture: NewsFixture, to userID: String, near city: String? = nil, onDay day: Int = 28
    ) async throws -> [CalendarShow] {
        let now = fixture.start.advanced(by: .seconds(86_400 * day))
        return try await fixture.database.read { reader in
            let area = try city.flatMap { HomeCity($0) }.map { try HomeArea($0, cityNames: .builtIn, in: reader) }
            return try CalendarShows(ofUser: userID, in: area, cityNames: .builtIn, now: now, in: reader).shows
        }
    }

    @Test("They are those of the ranked artists, in the order of their dates, and one for each show")
    func rankedArtists() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader(ranks: ["Air", "Moby"])
            let bob = try await fixture.addReader("bob", ranks: ["Adele"])
            let both = NewsFixture.show("both", inDays: 70, bill: ["Air", "Moby"])
            let parking = NewsFixture.show("p", kind: .parking, name: "Parking - Air")
            try await fixture.answer(
                [NewsFixture.show("late", inDays: 80), NewsFixture.show("a"), both, parking], onDay: 0)
            let moby = ConcertSearches.key(ofArtist: "Moby")
            try await fixture.answer([both, NewsFixture.show("tba", inDays: nil, dateTBA: true)], for: moby, onDay: 0)
            #expect(try await Self.shows(fixture, to: ada).map(\.item.id) == ["a", "both", "late"])
            let item = try #require(try await Self.shows(fixture, to: ada).first { $0.item.id == "both" }).item
            #expect(item.artistName == "Air" && item.additionalArtists == ["Moby"])
            #expect(try await Self.shows(fixture, to: bob).isEmpty)
            try await fixture.rank(["Moby"], of: ada)
            #expect(try await Self.shows(fixture, to: ada).map(\.item.id) == ["both"])
        }
    }

    @Test("A show that moves, is postponed and is cancelled is one entry with a higher number each time")
    func changes() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            try await fixture.answer([NewsFixture.show("a")], onDay: 0)
            #expect(try await Self.shown(fixture, to: ada, onDay: 0) == ["a.0 onsale"])
            let announced = try #require(try await Self.shows(fixture, to: ada, onDay: 0).first)
            #expect(announced.firstSeenAt == fixture.start && announced.item.calendar.history?.changedAt == nil)
            try await fixture.answer([NewsFixture.show("a", inDays: 90, status: .rescheduled)], onDay: 1)
            #expect(try await Self.shown(fixture, to: ada, onDay: 1) == ["a.1 rescheduled"])
            let moved = try #require(try await Self.shows(fixture, to: ada, onDay: 1).first)
            #expect(moved.date.dayNumber == announced.date.dayNumber + 30)
            #expect(moved.item.calendar.history?.changedAt == fixture.start.advanced(by: .seconds(86_400)))
            // It has no date any longer, and keeps its last one for a month.
            let postponed = NewsFixture.show("a", inDays: nil, at: nil, status: .postponed, dateTBA: true)
            try await fixture.answer([postponed], onDay: 2)
            try await fixture.answer([postponed], onDay: 3)
            #expect(try await Self.shown(fixture, to: ada, onDay: 31) == ["a.2 postponed"])
            #expect(try await Self.shows(fixture, to: ada, onDay: 31).first?.date == moved.date)
            #expect(try await Self.shown(fixture, to: ada, onDay: 33).isEmpty)
            try await fixture.answer([NewsFixture.show("a", inDays: 95)], onDay: 4)
            #expect(try await Self.shown(fixture, to: ada, onDay: 4) == ["a.3 onsale"])
            try await fixture.answer([NewsFixture.show("a", inDays: 95, status: .cancelled)], onDay: 5)
            try await fixture.answer([NewsFixture.show("a", inDays: 95, status: .cancelled)], onDay: 6)
            #expect(try await Self.shown(fixture, to: ada, onDay: 34) == ["a.4 cancelled"])
            #expect(try await Self.shown(fixture, to: ada, onDay: 36).isEmpty)
        }
    }

    @Test("A cancelled show stays for a month, also when no lookup finds it any longer; one that disappears does not")
    func disappearing() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            let coming = ["a", "b", "c"].enumerated().map { NewsFixture.show($1, inDays: 60 + $0) }
            try await fixture.answer(coming, onDay: 0)
            // Of a show that was cancelled before anybody knew of it, nobody needs to know.
            let late = NewsFixture.show("late", inDays: 75, status: .cancelled)
            try await fixture.answer(
                [NewsFixture.show("a", inDays: 60, status: .cancelled), coming[1], coming[2], late], onDay: 1)
            try await fixture.answer([coming[2]], onDay: 2)
            #expect(try await Self.shown(fixture, to: ada, onDay: 2) == ["a.1 cancelled", "c.0 onsale"])
            #expect(try await Self.shown(fixture, to: ada, onDay: 30) == ["a.1 cancelled", "c.0 onsale"])
            #expect(try await Self.shown(fixture, to: ada, onDay: 32) == ["c.0 onsale"])
            try await fixture.answer([NewsFixture.show("a", inDays: 60), coming[2]], onDay: 3)
            #expect(try await Self.shown(fixture, to: ada, onDay: 3) == ["a.2 onsale", "c.0 onsale"])
            // It was on sale again, and is gone.
            try await fixture.answer([coming[2]], onDay: 4)
            #expect(try await Self.shown(fixture, to: ada, onDay: 4) == ["c.0 onsale"])
        }
    }

    @Test("A show that is over stays for a month, and one that had disappeared before its day does not come back")
    func over() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            // The fixture begins 28 days ago.
            let (held, lost) = (NewsFixture.show("held", inDays: -24), NewsFixture.show("lost", inDays: -14))
            try await fixture.answer([held, lost], onDay: 0)
            try await fixture.answer([held, lost], onDay: 3)
            try await fixture.answer([], onDay: 5)
            #expect(try await Self.shown(fixture, to: ada, onDay: 5) == ["held.0 onsale"])
            #expect(try await Self.shown(fixture, to: ada, onDay: 20) == ["held.0 onsale"])
            #expect(try await Self.shown(fixture, to: ada, onDay: 35).isEmpty)
        }
    }

    @Test("The listing that represented a show first stays its entry, unless it is cancelled and another one is not")
    func listings() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            try await fixture.answer([NewsFixture.show("first", status: .offsale)], onDay: 0)
            // A better listing of the same show.
            try await fixture.answer([NewsFixture.show("first", status: .offsale), NewsFixture.show("a")], onDay: 1)
            #expect(try await Self.shown(fixture, to: ada) == ["first.0 offsale"])
            try await fixture.answer([NewsFixture.show("first", status: .cancelled), NewsFixture.show("a")], onDay: 2)
            #expect(try await Self.shown(fixture, to: ada, onDay: 2) == ["a.0 onsale"])
            try await fixture.answer(
                [NewsFixture.show("first", status: .cancelled), NewsFixture.show("a", status: .cancelled)], onDay: 3)
            #expect(try await Self.shown(fixture, to: ada, onDay: 3) == ["first.1 cancelled"])
        }
    }

    @Test("In an area, they are those in the city by its name, and around it where a lookup knows where it is")
    func area() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            var (near, far) = (
                NewsFixture.show("near", city: "Kladno"), NewsFixture.show("far", inDays: 62, city: "Brno")
            )
            near.venue?.location = GeoPoint(latitude: 50.147, longitude: 14.103)
            far.venue?.location = GeoPoint(latitude: 49.195, longitude: 16.607)
            var nowhere = NewsFixture.show("nowhere", inDays: 63)
            nowhere.venue = nil
            try await fixture.answer(
                [near, NewsFixture.show("in", inDays: 61, city: "Praha 9"), far, nowhere], onDay: 0)
            #expect(try await Self.shows(fixture, to: ada, near: "Prague").map(\.item.id) == ["in"])
            try await fixture.database.write { transaction in
                try transaction.concerts.storeCity(
                    key: "prague", point: GeoPoint(latitude: 50.0755, longitude: 14.4378),
                    now: fixture.start.advanced(by: .seconds(-20 * 86_400)))
            }
            #expect(try await Self.shows(fixture, to: ada, near: "Praha, CZ").map(\.item.id) == ["near", "in"])
            #expect(try await Self.shows(fixture, to: ada).count == 4)
            // Another country's Prague.
            #expect(try await Self.shows(fixture, to: ada, near: "Prague, OK").isEmpty)
        }
    }

    @Test("There are never more than five hundred, the next ones first")
    func capacity() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            let events = (0..<520).map { number in
                NewsFixture.show("e\(number)", inDays: 60 + number % 260, venue: "Hall \(number)")
            }
            try await fixture.answer(events, onDay: 0)
            let shows = try await Self.shows(fixture, to: ada)
            #expect(shows.count == CalendarShows.capacity)
            let today = Int(Timestamp.now().microseconds / 86_400_000_000)
            #expect(shows.first?.date.dayNumber == today + 60 && shows.last?.date.dayNumber == today + 60 + 249)
        }
    }
}
