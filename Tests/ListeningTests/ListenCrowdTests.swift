import Model
import Storage
import TestSupport
import Testing

@testable import Listening

/// Histories that nobody has: thousands of plays at one time, and chains of overlapping plays.
@Suite("Deriving listens takes bounded work, whatever the history contains", .timeLimit(.minutes(5)))
struct ListenCrowdTests {
    /// The most rows that are read and comparisons of songs that are made for one new observation.
    private static let mostRows = 30
    private static let mostComparisons = 2 * (PlayNeighborhood.mostCompared + Repeats.mostCompared)

    @Test("Thousands of plays in one second are all recorded, and the last thousand costs no more than the first")
    func oneMoment() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            var works: [DerivationWork] = []
            for number in 0..<4 {
                let thousand = NewObservation.crowd(number * 1_000..<(number + 1) * 1_000)
                let (counts, work) = try await history.recordInParts(thousand)
                #expect(counts == RecordCounts(new: 1_000))
                works.append(work)
            }
            let total = try await database.read { try $0.listening.count(userID: history.userID) }
            #expect(total == 4_000)
            for work in works {
                #expect(work.rows <= Self.mostRows * 1_000, "\(works)")
                #expect(work.comparisons <= Self.mostComparisons * 1_000, "\(works)")
            }
            // The second thousand begins with a crowd, as the last one does.
            #expect(works[3].rows <= works[1].rows && works[3].comparisons <= works[1].comparisons, "\(works)")
            let again = try await history.recordInParts(NewObservation.crowd(0..<4_000))
            #expect(again.counts == RecordCounts(repeated: 4_000))
        }
    }

    @Test("A file with one time for all of its plays is imported only once, even with songs in several spellings")
    func oneTime() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            let file = (0..<900).map { number in
                NewObservation.play(
                    number % 9 == 1 ? "Song \(number - 1) (Remastered)" : "Song \(number)", by: "Ada", at: 0, .lastfm,
                    duration: nil)
            }
            let first = try await history.recordInParts(file)
            #expect(first.counts.new + first.counts.repeated == 900 && first.counts.repeated > 0)
            for _ in 0..<2 { #expect(try await history.recordInParts(file).counts == RecordCounts(repeated: 900)) }
        }
    }

    @Test("A play at the same time as thousands of others is not joined with any, and removing and deleting work")
    func playAtTheTimeOfThousands() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            // It is joined with another source while the hour has few plays.
            let early = NewObservation.play("Song 3", by: "Artist 3", at: 9, .spotifyHistory, duration: nil)
            _ = try await history.recordInParts([early])
            _ = try await history.recordInParts(NewObservation.crowd(0..<10))
            #expect(try await history.listens().count == 10)
            let id = LibraryID(key: 5)
            _ = try await history.recordInParts(NewObservation.crowd(10..<2_000), import: id)
            let crowded = try await history.shown()
            #expect(crowded.count == 2_001 && crowded.allSatisfy { $0.sources.count == 1 })
            let deleted = try #require(try await history.listens().first { $0.song.title == "Song 1000" })
            #expect(
                try await database.write {
                    try $0.listening.deleteListen(deleted.id, userID: history.userID, now: TestHistory.first)
                })
            #expect(try await history.listens().count == 2_000)
            // Without the crowd, the two sources report one play again.
            try await history.remove(.importing(id))
            let left = try await history.shown()
            #expect(left.count == 10 && left.filter { $0.sources.count == 2 }.map(\.title) == ["Song 3"])
            #expect(try await database.read { try $0.listening.count(userID: history.userID) } == 10)
        }
    }

    @Test("An hour whose crowd is removed step by step has the listens that it has without it", arguments: 0..<4)
    func removedCrowd(way: Int) async throws {
        try await withDatabase { database, _ in
            // Two sources report the same plays, each at a different time, with a crowd in between.
            let plays = (0..<150).flatMap { number -> [NewObservation] in
                let (title, start) = ("Song \(number)", Double(number) * 17)
                return [
                    .play(title, by: "Artist \(number)", at: start),
                    .play(title, by: "Artist \(number)", at: start + 2, .spotifyHistory, duration: nil),
                ]
            }
            var crowd = (0..<200).map { number in
                NewObservation.play("Other \(number)", by: "Else \(number)", at: Double(number) * 13 + 5, .lastfm)
            }
            // It is half a day before the middle of the hour, so that the hour is removed in two parts.
            crowd.append(.play("Early", by: "Else", at: 1_300 - 12 * 3_600, .lastfm))
            let alone = try await TestHistory.new(in: database, name: "alone")
            _ = try await alone.recordInParts(plays)
            let expected = try await alone.shown()
            #expect(expected.count == 150 && expected.allSatisfy { $0.sources.count == 2 })
            let history = try await TestHistory.new(in: database)
            let id = LibraryID(key: 5)
            _ = try await history.recordInParts(way % 2 == 0 ? plays : crowd, import: way % 2 == 0 ? nil : id)
            _ = try await history.recordInParts(way % 2 == 0 ? crowd : plays, import: way % 2 == 0 ? id : nil)
            #expect(try await history.shown().count == 501)
            try await history.remove(way < 2 ? .importing(id) : .source(.lastfm))
            #expect(try await history.shown() == expected)
            #expect(try await database.read { try $0.listening.count(userID: history.userID) } == 150)
        }
    }

    @Test("Listens among many crowds are recorded and removed in parts, each of which reads a bounded number of rows")
    func listensAmongManyCrowds() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            // Enough almost crowded hours to need more than one part.
            let hours = 30
            for hour in 0..<hours {
                let plays = (0..<ListenHour.most - 20).map { number in
                    NewObservation.play(
                        "Song \(number)", by: "Artist \(number)", at: Double(hour * 3_600 + number * 9), .lastfm)
                }
                _ = try await history.recordInParts(plays)
            }
            let id = LibraryID(key: 5)
            var random = SeededRandom(seed: 1)
            let listens = (0..<hours).map { hour in
                NewObservation.play("Other", by: "Else", at: Double(hour * 3_600 + 1_000), client: "one")
            }.shuffled(using: &random)
            let works = try await history.recordInTransactions(listens, import: id)
            // What was begun is finished: everything within half a day.
            let most = works.map(\.rows).max() ?? 0
            let bound = mostDerivationWork + 3 * 30 * ListenHour.most
            #expect(most <= bound && works.count > 1, "\(works)")
            let count = try await database.read { try $0.listening.count(userID: history.userID) }
            #expect(count == hours * (ListenHour.most - 20) + hours)
            try await history.remove(.importing(id))
            #expect(try await database.read { try $0.listening.count(userID: history.userID) } == count - hours)
        }
    }

    @Test("A crowd gives the same listens in any order")
    func anyOrderOfACrowd() async throws {
        try await withDatabase { database, _ in
            let observations =
                NewObservation.crowd(0..<300) + NewObservation.crowd(100..<250, client: "two")
                + (0..<40).map { .play("Song \($0)", by: "Artist \($0)", at: 7 + 3_700, client: "two") }
                + (0..<40).map { .play("Song \($0)", by: "Artist \($0)", at: 12 + 3_700, client: "one") }
            var expected: [TestHistory.ListenContent]?
            for seed in 0..<4 {
                var random = SeededRandom(seed: UInt64(seed))
                let history = try await TestHistory.new(in: database, name: "a\(seed)")
                _ = try await history.recordInParts(observations.shuffled(using: &random))
                let shown = try await history.shown().sorted { "\($0)" < "\($1)" }
                #expect(shown == expected ?? shown)
                expected = shown
            }
            #expect(expected?.count == 450 + 40)
        }
    }

    @Test("Plays of two programs that overlap in a chain cost the same at the chain's end as at its beginning")
    func chainOfOverlaps() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            var works: [DerivationWork] = []
            for number in 0..<300 {
                let play = NewObservation.play(
                    at: Double(number) * 1_700, duration: 3_600_000, client: number % 2 == 0 ? "one" : "two")
                works.append(try await history.recordInParts([play]).work)
            }
            let most = try #require(works[..<100].map(\.rows).max())
            #expect(works[100...].allSatisfy { $0.rows <= most }, "\(works.map(\.rows))")
            // A play in the middle, where both directions are connected.
            let play = NewObservation.play(at: 150 * 1_700 + 5, duration: 3_600_000, client: "three")
            let middle = try await history.recordInParts([play])
            #expect(middle.work.rows <= 4 * most)
            let listens = try await history.listens()
            let counted = try await database.read { try $0.listening.count(userID: history.userID) }
            #expect(listens.count == counted)
        }
    }

    @Test("Finding observations of a song or an import uses the index, and does not read a whole hour or history")
    func plansOfQueries() async throws {
        try await withDatabase { database, _ in
            func plan(_ condition: SQL) async throws -> [String] {
                try await database.read {
                    let query: SQL =
                        "SELECT o.id, o.source FROM listen_observations o WHERE o.history_id = 1 AND " + condition
                    return try $0.plan(of: query)
                }
            }
            let ofSong = try await plan(ListeningStore<ReadTransaction>.ofSong(1, at: 2, limit: 3, history: 1))
            #expect(
                ofSong.contains {
                    $0.contains("listen_observations_of_songs (history_id=? AND song_id=? AND started_at=?)")
                })
            let ofImport = try await plan(
                ListeningStore<ReadTransaction>.ofImport(LibraryID(key: 1), limit: 3, history: 1))
            #expect(ofImport.contains { $0.contains("listen_observations_of_imports (history_id=? AND import_id=?)") })
            let row = "SEARCH o USING PRIMARY KEY (history_id=? AND started_at=? AND id=?)"
            let ofListens = try await plan(ListeningStore<ReadTransaction>.ofListens([1, 2], history: 1))
            #expect(ofListens.contains { $0.contains("listen_observations_of_listens (history_id=? AND listen_id=?)") })
            for plan in [ofSong, ofImport, ofListens] { #expect(plan.contains(row)) }
        }
    }

    @Test("A song that hundreds of programs report at one time costs no more than the bound")
    func songOfManyPrograms() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            func play(_ number: Int) -> NewObservation {
                .play(at: Double(number % 60), client: "program \(number)")
            }
            _ = try await history.recordInParts((0..<ListenHour.most - 3).map(play))
            // The last observations before the hour is crowded, and the first ones after.
            for number in (ListenHour.most - 3)..<(ListenHour.most + 6) {
                let (counts, work) = try await history.recordInParts([play(number)])
                #expect(counts.repeated == 0)
                #expect(work.rows <= 2 * (ListenHour.most + 1) + 2 * Repeats.mostCompared, "\(number): \(work)")
                #expect(work.comparisons == 0, "an identical song needs no comparison")
            }
            let listens = try await history.listens()
            #expect(listens.count == ListenHour.most + 6)
            let counted = try await database.read { try $0.listening.count(userID: history.userID) }
            #expect(listens.count == counted)
        }
    }
}
