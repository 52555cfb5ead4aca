import Model
import Storage
import Testing
import Visibility

@testable import Concerts

@Suite("Addresses of calendars")
struct CalendarSubscriptionTests {
    private static let noon = Timestamp(rfc3339: "2026-11-21T12:00:00Z")!

    private static func make(
        _ fixture: NewsFixture, of userID: String, _ places: CalendarPlaces = .home, at now: Timestamp = noon
    ) async throws -> CalendarToken {
        let token = CalendarToken.random()
        let calendar = CalendarSubscription(places: places, madeAt: now, readAt: nil)
        try await fixture.database.write {
            try $0.concerts.setCalendar(calendar, at: token, userID: userID)
        }
        return token
    }

    private static func owner(_ fixture: NewsFixture, at token: CalendarToken) async throws -> String? {
        try await fixture.database.read { try $0.concerts.calendar(at: token)?.userID }
    }

    @Test("The database has no secret, and no text but a secret leads to a calendar")
    func hashes() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addPerson()
            let token = try await Self.make(fixture, of: ada)
            let stored = try await fixture.database.read {
                try $0.map("SELECT token FROM concert_calendars") { try $0["token"] as String }
            }
            #expect(stored == [token.hash] && !stored[0].contains(token.secret.reveal()))
            #expect(CalendarToken(token.secret.reveal())?.hash == token.hash)
            for text in ["", "short", token.secret.reveal() + "A", token.hash, String(repeating: "ä", count: 43)] {
                #expect(CalendarToken(text) == nil, "\(text)")
            }
            #expect(try await Self.owner(fixture, at: token) == ada)
            #expect(try await Self.owner(fixture, at: .random()) == nil)
        }
    }

    @Test("A new address ends the former one, and keeps nothing of it; off is off")
    func ends() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addPerson()
            let first = try await Self.make(fixture, of: ada)
            try await fixture.database.write {
                try $0.concerts.recordReading(ofCalendar: ada, at: first.hash, Self.noon)
            }
            func calendar() async throws -> CalendarSubscription? {
                try await fixture.database.read { try $0.concerts.calendar(ofUser: ada) }
            }
            #expect(try await calendar()?.readAt == Self.noon)
            let later = Self.noon.advanced(by: .seconds(60))
            let second = try await Self.make(fixture, of: ada, .anywhere, at: later)
            #expect(try await Self.owner(fixture, at: first) == nil)
            #expect(try await Self.owner(fixture, at: second) == ada)
            #expect(try await calendar() == CalendarSubscription(places: .anywhere, madeAt: later, readAt: nil))
            // A reading at the former address that is stored late says nothing of the present one.
            try await fixture.database.write {
                try $0.concerts.recordReading(ofCalendar: ada, at: first.hash, later)
            }
            #expect(try await calendar()?.readAt == nil)
            let changed = try await fixture.database.write { try $0.concerts.changeCalendar(.home, userID: ada) }
            #expect(changed == CalendarSubscription(places: .home, madeAt: later, readAt: nil))
            #expect(try await Self.owner(fixture, at: second) == ada)
            try await fixture.database.write { try $0.concerts.removeCalendar(userID: ada) }
            #expect(try await Self.owner(fixture, at: second) == nil)
            #expect(try await fixture.database.write { try $0.concerts.changeCalendar(.home, userID: ada) } == nil)
        }
    }

    @Test("A suspension hides a calendar, and an erasure ends it in its first transaction")
    func people() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addPerson()
            let token = try await Self.make(fixture, of: ada)
            _ = try await fixture.database.write { try $0.visibility.suspend(userID: ada) }
            #expect(try await Self.owner(fixture, at: token) == nil)
            _ = try await fixture.database.write { try $0.visibility.reinstate(userID: ada) }
            #expect(try await Self.owner(fixture, at: token) == ada)
            try await fixture.database.write { try $0.visibility.close(userID: ada) }
            #expect(try await Self.owner(fixture, at: token) == nil)
        }
    }
}
