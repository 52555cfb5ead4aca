import Concerts
import Model
import TestSupport
import Testing

@testable import ConcertsHTTP
@testable import Gateway

@Suite("Pages of shows")
struct ConcertPageTests {
    /// Shows in their order, many with equal ranks, days or times, some with unknown values.
    private static func items(_ count: Int, using random: inout SeededRandom) -> [ConcertListItem] {
        (0..<count).map { number in
            .sample(
                "Z\(number).\(Int.random(in: 0...9, using: &random))",
                rank: [1, 2, 20, nil].randomElement(using: &random) ?? nil,
                date: ["2026-11-20", "2026-11-21", "2027-01-01", nil].randomElement(using: &random) ?? nil,
                time: ["19:00", "20:00", nil].randomElement(using: &random) ?? nil)
        }.sorted { $0.position.values < $1.position.values }
    }

    /// The shows of all pages.
    ///
    /// - Parameter items: the shows at the time of a page.
    private func pages(limit: Int, of items: (_ page: Int) -> [ConcertListItem]) throws -> [ConcertListItem] {
        var all: [ConcertListItem] = []
        var cursor: ConcertPage.Position?
        for number in 0..<1_000 {
            let page = ConcertPage(of: items(number), after: cursor, limit: limit)
            #expect(page.items.count <= limit)
            all += page.items
            guard let next = page.nextCursor else { return all }
            cursor = ConcertLists.shows.cursor(next)
        }
        Issue.record("the pages do not end")
        return all
    }

    @Test("Every show is on one page, in order, for any page size", arguments: [0, 1, 2, 49, 50, 51, 120])
    func everyShowOnce(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        let items = Self.items(count, using: &random)
        for limit in [1, 2, 3, 7, 50, 200] {
            #expect(try pages(limit: limit) { _ in items }.map(\.id) == items.map(\.id), "pages of \(limit)")
        }
    }

    @Test("Shows that are added or removed between pages neither repeat others nor hide them", arguments: 0..<20)
    func changesBetweenPages(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let items = Self.items(60, using: &random)
        // Some shows exist at every request for a page; each of the others exists at random.
        let staying = items.filter { _ in Bool.random(using: &random) }
        let seen = try pages(limit: Int.random(in: 1...10, using: &random)) { _ in
            items.filter { staying.contains($0) || Bool.random(using: &random) }
        }
        #expect(Set(seen.map(\.id)).count == seen.count)
        #expect(Set(staying.map(\.id)).isSubset(of: seen.map(\.id)))
        #expect(seen.map(\.id) == items.map(\.id).filter(Set(seen.map(\.id)).contains))
    }

    @Test("The page after a removed show begins with the next show")
    func lastShowGone() throws {
        let items = ["a", "b", "c", "d"].map { ConcertListItem.sample($0) }
        let first = ConcertPage(of: items, after: nil, limit: 2)
        let cursor = try #require(first.nextCursor.flatMap { ConcertLists.shows.cursor($0) })
        let rest = ConcertPage(of: [items[0], items[2], items[3]], after: cursor, limit: 2)
        #expect(rest.items.map(\.id) == ["c", "d"])
        #expect(rest.nextCursor == nil)
        #expect(ConcertPage(of: [items[0]], after: cursor, limit: 2).items.isEmpty)
    }

    @Test("The order is rank, date, time and id, unknown values last")
    func orderOfShows() {
        let items: [ConcertListItem] = [
            .sample("b", time: "19:00"), .sample("a"), .sample("b"), .sample("0", time: nil),
            .sample("0", date: "2026-11-21", time: "00:00"), .sample("0", date: nil, time: nil),
            .sample("0", rank: 2), .sample("0", rank: nil, date: "2020-01-01"), .sample("0", rank: nil, date: nil),
        ]
        let positions = items.map(\.position.values)
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) })
    }
}
