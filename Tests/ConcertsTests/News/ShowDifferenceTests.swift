import Model
import Testing

@testable import Concerts

@Suite("What has happened to a show")
struct ShowDifferenceTests {
    private static let before = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let now = before.advanced(by: .seconds(86_400))

    private func reason(
        from former: ConcertEvent, to event: ConcertEvent, wasOnSale: Bool = true
    ) -> NewsReason? {
        ShowDifference(from: former, storedAt: Self.before, to: event, wasOnSale: wasOnSale, now: Self.now)?.reason
    }

    @Test("The status decides before the date")
    func statuses() {
        let show = event("a")
        for (status, expected) in [
            (ConcertStatus.cancelled, NewsReason.cancelled), (.postponed, .postponed),
        ] {
            #expect(reason(from: show, to: event("a", status: status)) == expected)
            #expect(reason(from: show, to: event("a", on: "2027-07-01", status: status)) == expected)
            #expect(reason(from: event("a", status: status), to: event("a", status: status)) == nil)
            #expect(reason(from: event("a", status: status), to: show) == .reinstated)
        }
        #expect(reason(from: show, to: event("a", status: .offsale)) == nil)
        #expect(reason(from: event("a", status: .offsale), to: show, wasOnSale: true) == nil)
        let cancelled = event("a", status: .cancelled)
        #expect(reason(from: cancelled, to: event("a", on: "2027-07-01", status: .cancelled)) == nil)
    }

    @Test("A date, a time or a hall that is another one moves the show; what became known or unknown does not")
    func moves() throws {
        let show = event("a")
        let moved = try #require(
            ShowDifference(
                from: show, storedAt: Self.before, to: event("a", on: "2027-06-11", at: "19:00"), wasOnSale: true,
                now: Self.now))
        #expect(moved.reason == .moved)
        #expect(
            moved.changes == [
                ShowChange(.date, from: "2027-06-04", to: "2027-06-11"),
                ShowChange(.time, from: "20:00:00", to: "19:00:00"),
            ])
        #expect(reason(from: show, to: event("a", venue: "club")) == .moved)
        #expect(reason(from: show, to: event("a", city: "Brno")) == .moved)
        #expect(reason(from: event("a", on: nil), to: show) == .moved)
        #expect(reason(from: event("a", at: nil), to: show) == nil)
        #expect(reason(from: show, to: event("a", at: nil)) == nil)
        #expect(reason(from: event("a", venue: nil, city: nil), to: show) == nil)
        #expect(reason(from: show, to: event("a", name: "Another name", ticketURL: "https://t/y")) == nil)
        // A record that has lost its date by mistake says nothing.
        #expect(reason(from: show, to: event("a", on: nil)) == nil)
        var toBeAnnounced = event("a", on: nil)
        toBeAnnounced.dateTBA = true
        #expect(reason(from: show, to: toBeAnnounced) == .postponed)
    }

    @Test("A date that is lost is part of what happened, whatever the status says")
    func lostDates() throws {
        for status in [ConcertStatus.postponed, .onsale, .cancelled] {
            for former in [ConcertStatus.onsale, .postponed] {
                var later = event("a", on: nil, status: status)
                later.dateTBA = true
                let difference = try #require(
                    ShowDifference(
                        from: event("a", status: former), storedAt: Self.before, to: later, wasOnSale: true,
                        now: Self.now))
                #expect(difference.reason == (status == .cancelled ? .cancelled : .postponed))
                #expect(difference.changes.first == ShowChange(.date, from: "2027-06-04", to: nil))
            }
        }
    }

    @Test("A hall that is only spelled in another way is the same hall")
    func renamedHall() {
        var renamed = event("a")
        renamed.venue = ConcertVenue(id: "other", name: "The Arena", city: "Praha")
        #expect(reason(from: event("a"), to: renamed) == nil)
        renamed.venue = ConcertVenue(id: "V-arena-Prague", name: "Sponsor Dome", city: "Prague")
        #expect(reason(from: event("a"), to: renamed) == nil)
    }

    @Test("A show goes on sale once, by its status or by the start of its sale")
    func sales() {
        #expect(reason(from: event("a", status: .offsale), to: event("a"), wasOnSale: false) == .onSale)
        var waiting = event("a")
        waiting.saleStartsAt = Self.before.advanced(by: .seconds(3_600))
        // The record is the same, but the sale has begun since it was stored.
        #expect(reason(from: waiting, to: waiting, wasOnSale: false) == .onSale)
        #expect(reason(from: waiting, to: waiting, wasOnSale: true) == nil)
        waiting.saleStartsAt = Self.now.advanced(by: .seconds(1))
        #expect(reason(from: waiting, to: waiting, wasOnSale: false) == nil)
        #expect(!waiting.isOnSale(at: Self.now))
        // An event that an earlier version has stored as on sale was on sale.
        #expect(reason(from: event("a"), to: event("a", ticketURL: "https://t/y"), wasOnSale: false) == nil)
    }
}
