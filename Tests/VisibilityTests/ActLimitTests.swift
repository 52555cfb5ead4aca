import Model
import Storage
import TestSupport
import Testing

@testable import Visibility

@Suite("Limits of acts")
struct ActLimitTests {
    private static let start = Timestamp(microseconds: 1_700_000_000_000_000)

    @Test("A limit allows its number at once, and each further act when one is free again")
    func counting() throws {
        let limit = ActLimit.sample("follow", count: 100, per: .seconds(3_600))
        var fullAt: Timestamp?
        for _ in 0..<100 { fullAt = try limit.fullAt(afterActAt: Self.start, fullAt: fullAt) }
        #expect(fullAt == Self.start.advanced(by: .seconds(3_600)))
        let reached = #expect(throws: ActLimitReached.self) {
            try limit.fullAt(afterActAt: Self.start, fullAt: fullAt)
        }
        #expect(reached?.until == Self.start.advanced(by: .seconds(36)) && reached?.limit == limit)
        let early = Self.start.advanced(by: .seconds(36) - .microseconds(1))
        #expect(throws: ActLimitReached.self) { try limit.fullAt(afterActAt: early, fullAt: fullAt) }
        let next = try limit.fullAt(afterActAt: Self.start.advanced(by: .seconds(36)), fullAt: fullAt)
        #expect(next == Self.start.advanced(by: .seconds(3_636)))
        // After the whole period all are free.
        var later: Timestamp? = next
        for _ in 0..<100 {
            later = try limit.fullAt(afterActAt: Self.start.advanced(by: .seconds(7_300)), fullAt: later)
        }
        #expect(later == Self.start.advanced(by: .seconds(10_900)))
    }

    @Test("Random acts are never more than twice the number within one period", arguments: 0..<20)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (count, seconds) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...100, using: &random))
        let limit = ActLimit.sample("act", count: count, per: .seconds(seconds))
        var (now, fullAt, acts): (Timestamp, Timestamp?, [Timestamp]) = (Self.start, nil, [])
        for _ in 0..<2_000 {
            now = now.advanced(
                by: .microseconds(Int64.random(in: 0...limit.period.microseconds / Int64(limit.count), using: &random)))
            do {
                fullAt = try limit.fullAt(afterActAt: now, fullAt: fullAt)
                acts.append(now)
            } catch {
                #expect(error.until > now && error.until <= now.advanced(by: limit.period))
                // It is free exactly then.
                _ = try limit.fullAt(afterActAt: error.until, fullAt: fullAt)
            }
        }
        for (index, act) in acts.enumerated() {
            let end = act.advanced(by: limit.period)
            #expect(acts[index...].prefix { $0 < end }.count <= 2 * limit.count)
        }
    }

    @Test("A limit says in sentences what is possible, how often, and how long the wait is, rounded up")
    func sentences() {
        for (period, expected) in [(60, "a minute"), (3_600, "an hour"), (86_400, "a day"), (600, "every 10 minutes")] {
            let limit = ActLimit(
                "follows", count: 20, per: .seconds(period), act: "follow", counted: "people",
                again: "follow more people")
            #expect(limit.sentence == "You can follow 20 people \(expected).")
        }
        let limit = ActLimit("reactions", count: 60, per: .seconds(86_400), act: "react", again: "react again")
        #expect(limit.sentence == "You can react 60 times a day.")
        for (wait, expected) in [
            (.zero, "1 second"), (.microseconds(1_000_001), "2 seconds"), (.seconds(90), "90 seconds"),
            (.seconds(91), "2 minutes"), (.seconds(720), "12 minutes"), (.seconds(7_201), "3 hours"),
        ] as [(Duration, String)] {
            #expect(limit.sentence(untilNext: wait) == "You can react again in \(expected).")
        }
    }

    @Test("A row from a clock that was ahead does not lock anybody out")
    func clockAhead() throws {
        let limit = ActLimit.sample("follow", count: 2, per: .seconds(60))
        let ahead = Self.start.advanced(by: .seconds(86_400 * 365))
        #expect(
            try limit.fullAt(afterActAt: Self.start, fullAt: ahead) == Self.start.advanced(by: .seconds(30)))
    }

    @Test("An act counts against all of its limits or none, for one person, and undoing it gives nothing back")
    func rows() async throws {
        let limits = [
            ActLimit.sample("hour", count: 3, per: .seconds(3_600)),
            ActLimit.sample("day", count: 4, per: .seconds(86_400)),
        ]
        try await withDatabase { database in
            let people = try await database.write { try $0.addPeople(3) }
            @Sendable func act(_ number: Int, at now: Timestamp) async throws {
                try await database.write { transaction in
                    try transaction.visibility.count(limits, by: people[number].key, now: now)
                    try transaction.visibility.follow(people[2].key, by: people[number].key, now: now)
                    try transaction.visibility.unfollow(people[2].key, by: people[number].key)
                }
            }
            for _ in 0..<3 { try await act(0, at: Self.start) }
            let reached = await #expect(throws: ActLimitReached.self) { try await act(0, at: Self.start) }
            #expect(reached?.limit.name == "hour" && reached?.until == Self.start.advanced(by: .seconds(1_200)))
            try await act(1, at: Self.start)
            // The refused act left the day alone, which has one more.
            let later = Self.start.advanced(by: .seconds(1_200))
            try await act(0, at: later)
            let both = await #expect(throws: ActLimitReached.self) { try await act(0, at: later) }
            #expect(both?.limit.name == "day", "the limit that ends last is named")
        }
    }
}

extension ActLimit {
    static func sample(_ name: String, count: Int, per period: Duration) -> ActLimit {
        ActLimit(name, count: count, per: period, act: "act", again: "act again")
    }
}
