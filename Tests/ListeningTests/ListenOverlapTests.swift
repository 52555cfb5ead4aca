import Model
import Storage
import TestSupport
import Testing

@testable import Listening

/// Histories in which everything overlaps: several programs that report one title all day long.
@Suite("Overlapping plays are recorded and removed in transactions of bounded work", .timeLimit(.minutes(5)))
struct ListenOverlapTests {
    /// The work of a transaction may exceed the bound by what was begun.
    private static let most = 5 * mostDerivationWork

    /// The plays of a program, whose times are shifted from those of the others.
    private static func plays(
        _ count: Int, of program: Int, every seconds: Double, duration: Int?, isOneTitle: Bool = true
    ) -> [NewObservation] {
        (0..<count).map { number in
            .play(
                isOneTitle ? "Chain" : "Song \(number)", by: isOneTitle ? "Ada" : "Artist \(number)",
                at: Double(number) * seconds + Double(program) * seconds / 4, duration: duration,
                client: "program \(program)")
        }
    }

    @Test("A chain of plays is no more work in one transaction than any other listens", arguments: [nil, 3_000_000])
    func chainOfPlays(duration: Int?) async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            var most: [Int] = []
            for program in 0..<2 {
                let plays = Self.plays(260, of: program, every: 30, duration: duration)
                let works = try await history.recordInTransactions(plays, import: LibraryID(key: Int64(5 + program)))
                most.append(works.map(\.units).max() ?? 0)
                #expect(works.count > 1)
            }
            #expect(most.allSatisfy { $0 <= Self.most }, "\(most)")
            let listens = try await history.listens().count
            #expect(try await database.read { try $0.listening.count(userID: history.userID) } == listens)

            let work = try await database.write { transaction in
                let key = try #require(try transaction.listening.historyID(ofUser: history.userID))
                let condition = ListeningStore<WriteTransaction>.ofImport(LibraryID(key: 6), limit: 80, history: key)
                return try transaction.listening.remove(
                    try transaction.listening.load(condition, history: key), mostWork: mostDerivationWork,
                    history: key, userID: history.userID, now: TestHistory.first)
            }
            #expect(work.units > 0 && work.units <= Self.most, "\(work)")
        }
    }

    @Test("Different songs that overlap are compared in transactions of bounded work")
    func songsThatOverlap() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            for program in 0..<2 {
                let plays = Self.plays(100, of: program, every: 100, duration: 3_000_000, isOneTitle: false)
                let works = try await history.recordInTransactions(plays)
                #expect(works.allSatisfy { $0.units <= Self.most }, "\(works)")
            }
            let listens = try await history.shown()
            #expect(listens.count == 100 && Set(listens.map(\.title)).count == 100)
        }
    }

    @Test("A play is compared with those that begin within the longest play, not with all of an hour")
    func comparedPlays() {
        func examined(_ duration: Int?) -> Int {
            let hours = ListenHours(around: [TestHistory.first.microseconds], margin: Rederivation.wideMargin)
            let plays = (0..<900).map { number in
                Play(
                    id: Int64(number + 1), source: .listenBrainz, client: "program \(number)", songID: 1,
                    time: TestHistory.moment(Double(number) * 10).microseconds, stamp: .start, precision: .second,
                    durationMilliseconds: duration)
            }
            var neighborhood = PlayNeighborhood(plays, hours: hours, crowded: [], seeds: [450])
            _ = neighborhood.nextCandidates()
            return neighborhood.examined
        }
        // Three minutes before and after, for uncertain times.
        #expect(examined(nil) == 2 * 18)
        #expect(examined(180_000) == 2 * 36)
        #expect(examined(7_200_000) == 2 * 378)
    }

    @Test("Programs that report the same plays at other times are joined, in any order and division")
    func timesOfPrograms() async throws {
        try await withDatabase { database, _ in
            let observations = (0..<40).flatMap { number in
                (0..<4).map { program in
                    NewObservation.play(
                        "Song \(number)", by: "Artist \(number)", at: Double(number * 90 + program * 20),
                        duration: 300_000, client: "program \(program)")
                }
            }
            for seed in 0..<3 {
                var random = SeededRandom(seed: UInt64(seed))
                let history = try await TestHistory.new(in: database, name: "a\(seed)")
                _ = try await history.recordInTransactions(observations.shuffled(using: &random))
                let listens = try await history.shown()
                #expect(listens.map(\.title) == (0..<40).map { "Song \($0)" })
                #expect(listens.map(\.seconds) == (0..<40).map { Double($0 * 90) })
            }
        }
    }
}
