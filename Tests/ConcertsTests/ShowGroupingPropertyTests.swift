import Concerts
import Foundation
import Model
import Testing

/// A random sequence that is the same on every run (SplitMix64).
private struct SeededSequence: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Properties of grouping")
struct ShowGroupingPropertyTests {
    /// Few artists, cities, venues, days and times, so that many events collide.
    private func world(seed: UInt64, count: Int, days: Int = 12) -> [ShowGrouping.Source] {
        var random = SeededSequence(state: seed)
        let artists = ["a", "b", "c", "d", "e"]
        var found: [String: [ConcertEvent]] = [:]
        for index in 0..<count {
            let bill = artists.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            let day = 20_000 + Int.random(in: 0..<days, using: &random)
            let date = Int.random(in: 0..<12, using: &random) == 0 ? nil : LocalDate(dayNumber: day)
            let last = Int.random(in: 0..<10, using: &random) == 0 ? LocalDate(dayNumber: day + 2) : nil
            let made = event(
                "event \(index)", ConcertKind.allCases.randomElement(using: &random) ?? .show,
                name: "Name \(index % 7)", bill: bill,
                venue: [nil, "arena", "club", "park"].randomElement(using: &random) ?? nil,
                city: [nil, "Prague", "Praha 9", "Brno"].randomElement(using: &random) ?? nil,
                on: date?.description,
                at: [nil, "15:00", "20:00"].randomElement(using: &random) ?? nil,
                until: date == nil ? nil : last?.description,
                status: [.onsale, .onsale, .cancelled, .postponed].randomElement(using: &random) ?? .onsale,
                ticketURL: Bool.random(using: &random) ? "https://t/\(index)" : nil)
            for artist in bill.isEmpty ? ["a"] : bill { found[artist, default: []].append(made) }
        }
        return artists.enumerated().map { index, name in
            ShowGrouping.Source(
                artist: RankedArtist(id: "id-\(name)", name: name, rank: index + 1), attractionID: "K-\(name)",
                events: found[name, default: []])
        }
    }

    private func everything(in grouping: ShowGrouping) -> [String] {
        let rows = grouping.rows.flatMap { [$0.event] + $0.duplicates + $0.extras + $0.duplicateExtras }
        return (rows + grouping.leftOut).map(\.id)
    }

    @Test("Each event appears exactly once: as a row, an extra, a duplicate, or left out", arguments: 1...40)
    func eachEventOnce(seed: Int) {
        let sources = world(seed: UInt64(seed), count: 150)
        for includesCancelled in [false, true] {
            let grouping = ShowGrouping(
                sources,
                options: .init(
                    includesCancelled: includesCancelled,
                    notBefore: seed.isMultiple(of: 2) ? LocalDate(dayNumber: 20_003) : nil))
            let seen = everything(in: grouping)
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen) == Set(sources.flatMap(\.events).map(\.id)))
        }
    }

    @Test("The result does not depend on the order of the input", arguments: 1...20)
    func orderIndependent(seed: Int) {
        let sources = world(seed: UInt64(seed), count: 120)
        let expected = ShowGrouping(sources)
        var random = SeededSequence(state: UInt64(seed) &* 977)
        for _ in 0..<3 {
            let shuffled = sources.shuffled(using: &random).map { source in
                var source = source
                source.events.shuffle(using: &random)
                return source
            }
            let grouping = ShowGrouping(shuffled)
            #expect(grouping.rows == expected.rows)
            #expect(grouping.leftOut == expected.leftOut)
        }
    }

    @Test("Rows are in order, extras are never shows, and no two rows list the same show", arguments: 1...20)
    func invariantsOfRows(seed: Int) {
        let rows = ShowGrouping(world(seed: UInt64(seed), count: 150)).rows
        for (left, right) in zip(rows, rows.dropFirst()) {
            let ranks = (left.artists.first?.rank ?? .max, right.artists.first?.rank ?? .max)
            #expect(ranks.0 <= ranks.1)
            if ranks.0 == ranks.1, let first = left.event.localDate, let second = right.event.localDate {
                #expect(first <= second)
            }
            if ranks.0 == ranks.1, left.event.localDate == nil { #expect(right.event.localDate == nil) }
        }
        #expect(rows.allSatisfy { row in row.extras.allSatisfy { $0.kind != .show } })
        #expect(rows.allSatisfy { $0.event.status != .cancelled })
        let shows = rows.filter { $0.event.kind == .show }.flatMap { row -> [String] in
            guard let date = row.event.localDate, let venue = row.event.venue?.id else { return [] }
            return Set(row.artists.map(\.id)).map { "\($0) \(venue) \(date) \(row.event.localTime?.description ?? "")" }
        }
        #expect(Set(shows).count == shows.count)
    }

    @Test("Two differing copies of one event are one row, the same in either order")
    func differingCopies() {
        let old = event("1", status: .cancelled)
        let new = event("1", name: "Renamed")
        let forward = ShowGrouping([source("a", old), source("b", rank: 2, new)])
        let backward = ShowGrouping([source("b", rank: 2, new), source("a", old)])
        #expect(forward.rows == backward.rows)
        #expect(forward.rows.map(\.event.name) == ["Renamed"])
    }

    @Test("The work is roughly linear in the number of events")
    func linearWork() {
        func work(on count: Int) -> Double {
            let sources = world(seed: 7, count: count, days: count / 3)
            // Processor time of this thread, which other load on the machine only affects through the caches.
            let start = processorSeconds()
            _ = ShowGrouping(sources)
            return processorSeconds() - start
        }
        // Linear work takes eight times as long, and quadratic work 64 times. A disturbed measurement is repeated.
        let ratios = (0..<10).lazy.map { _ in work(on: 8_000) / work(on: 1_000) }
        #expect(ratios.contains { $0 < 24 }, "8,000 events took more than 24 times the work of 1,000")
    }

    private func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
