import Concerts
import Model
import TestSupport
import Testing

@testable import Gateway

@Suite("Pages of shows")
struct ConcertPageTests {
    /// Shows in their order, many with the same rank, day or time, some with unknown ones.
    private static func items(_ count: Int, using random: inout SeededRandom) -> [ConcertListItem] {
        (0..<count).map { number in
            .sample(
                "Z\(number).\(Int.random(in: 0...9, using: &random))",
                rank: [1, 2, 20, nil].randomElement(using: &random) ?? nil,
                date: ["2026-11-20", "2026-11-21", "2027-01-01", nil].randomElement(using: &random) ?? nil,
                time: ["19:00", "20:00", nil].randomElement(using: &random) ?? nil)
        }.sorted { ConcertPage.Position($0) < ConcertPage.Position($1) }
    }

    /// All pages, each from the shows as they are when it is asked for.
    private func pages(limit: Int, of items: (_ page: Int) -> [ConcertListItem]) throws -> [ConcertListItem] {
        var all: [ConcertListItem] = []
        var cursor: ConcertPage.Position?
        for number in 0..<1_000 {
            let page = ConcertPage(of: items(number), after: cursor, limit: limit)
            #expect(page.items.count <= limit)
            all += page.items
            guard let next = page.nextCursor else { return all }
            cursor = ConcertPage.Position(next)
        }
        Issue.record("the pages have no end")
        return all
    }

    @Test("every show comes once, in order, over pages of any size", arguments: [0, 1, 2, 49, 50, 51, 120])
    func once(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        let items = Self.items(count, using: &random)
        for limit in [1, 2, 3, 7, 50, 200] {
            #expect(try pages(limit: limit) { _ in items }.map(\.id) == items.map(\.id), "pages of \(limit)")
        }
    }

    @Test("shows that come and go between pages neither repeat nor hide others", arguments: 0..<20)
    func changes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let items = Self.items(60, using: &random)
        // Some stay; each of the others is there at random.
        let staying = items.filter { _ in Bool.random(using: &random) }
        let seen = try pages(limit: Int.random(in: 1...10, using: &random)) { _ in
            items.filter { staying.contains($0) || Bool.random(using: &random) }
        }
        #expect(Set(seen.map(\.id)).count == seen.count)
        #expect(Set(staying.map(\.id)).isSubset(of: seen.map(\.id)))
        #expect(seen.map(\.id) == items.map(\.id).filter(Set(seen.map(\.id)).contains))
    }

    @Test("the page after a show that is gone begins with the next one")
    func lastShowGone() throws {
        let items = ["a", "b", "c", "d"].map { ConcertListItem.sample($0) }
        let first = ConcertPage(of: items, after: nil, limit: 2)
        let cursor = try #require(first.nextCursor.flatMap { ConcertPage.Position($0) })
        let rest = ConcertPage(of: [items[0], items[2], items[3]], after: cursor, limit: 2)
        #expect(rest.items.map(\.id) == ["c", "d"])
        #expect(rest.nextCursor == nil)
        #expect(ConcertPage(of: [items[0]], after: cursor, limit: 2).items.isEmpty)
    }

    @Test("the order is rank, date, time, id, with what is unknown last")
    func order() {
        let items: [ConcertListItem] = [
            .sample("b", time: "19:00"), .sample("a"), .sample("b"), .sample("0", time: nil),
            .sample("0", date: "2026-11-21", time: "00:00"), .sample("0", date: nil, time: nil),
            .sample("0", rank: 2), .sample("0", rank: nil, date: "2020-01-01"), .sample("0", rank: nil, date: nil),
        ]
        let positions = items.map(ConcertPage.Position.init)
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) })
    }

    @Test("a cursor reads back what it wrote")
    func cursors() throws {
        let items: [ConcertListItem] = [
            .sample("G5vYZb2dnoqR"), .sample("a.b.c"), .sample(""), .sample("é 🎵"), .sample("x", rank: nil, date: nil),
            .sample("Z", rank: 20, date: "9999-12-31", time: "23:59:59"), .sample("Z", date: "0001-01-01", time: nil),
        ]
        for item in items {
            let position = ConcertPage.Position(item)
            #expect(ConcertPage.Position(position.text) == position)
        }
    }

    @Test(
        "a cursor that nobody wrote is refused",
        arguments: [
            "", ".", "...", "1.2.3", "1.2", "a.b.c.d", "1..3.id", "1.2.y.id", "1.5e1.2.id", "١.1.1.id", "0x1.1.1.id",
            " 1.1.1.id",
        ])
    func malformed(text: String) {
        #expect(ConcertPage.Position(text) == nil)
    }

    @Test("numbers beyond all bounds are places like any other", arguments: ["-5.-5.-5.", "9223372036854775807.x.x.z"])
    func extremes(text: String) throws {
        let cursor = try #require(ConcertPage.Position(text))
        let items = ["a", "b"].map { ConcertListItem.sample($0) }
        #expect([0, 2].contains(ConcertPage(of: items, after: cursor, limit: 9).items.count))
    }
}
