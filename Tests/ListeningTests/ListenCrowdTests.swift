import Model
import Storage
import TestSupport
import Testing

@testable import Listening

/// Histories that nobody has: thousands of plays at one time, and chains of overlapping plays.
@Suite("Deriving listens takes bounded work, whatever the history contains", .timeLimit(.minutes(5)))
struct ListenCrowdTests {
    /// The most rows that are read and comparisons of songs that are made for one new observation.
    private static let mostRows = 20
    private static let mostComparisons = 2 * (PlayNeighbourhood.mostCompared + Repeats.mostCompared)

    private func record(
        _ observations: [NewObservation], import id: LibraryID? = nil, of history: WrittenHistory
    ) async throws -> (counts: RecordCounts, work: DerivationWork) {
        var (counts, work) = (RecordCounts(), DerivationWork())
        for part in stride(from: 0, to: observations.count, by: mostRecordedListens) {
            let some = Array(observations[part..<min(part + mostRecordedListens, observations.count)])
            let recorded = try await history.database.write {
                try $0.listening.recordPart(
                    of: some, import: id, userID: history.userID, mostRows: .max, now: WrittenHistory.first)
            }
            counts += recorded.counts
            work += recorded.work
        }
        return (counts, work)
    }

    /// Distinct songs within one second.
    private func moment(_ numbers: Range<Int>, client: String = "one") -> [NewObservation] {
        numbers.map { .play("Song \($0)", by: "Artist \($0)", at: 7, client: client) }
    }

    @Test("Thousands of plays in one second are all recorded, and the last thousand costs no more than the first")
    func oneMoment() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            var works: [DerivationWork] = []
            for number in 0..<4 {
                let (counts, work) = try await record(moment(number * 1_000..<(number + 1) * 1_000), of: history)
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
            let again = try await record(moment(0..<4_000), of: history)
            #expect(again.counts == RecordCounts(repeated: 4_000))
        }
    }

    @Test("A file with one time for all of its plays is imported only once, even with songs in several spellings")
    func oneTime() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            let file = (0..<900).map { number in
                NewObservation.play(
                    number % 9 == 1 ? "Song \(number - 1) (Remastered)" : "Song \(number)", by: "Ada", at: 0, .lastfm,
                    duration: nil)
            }
            let first = try await record(file, of: history)
            #expect(first.counts.new + first.counts.repeated == 900 && first.counts.repeated > 0)
            for _ in 0..<2 { #expect(try await record(file, of: history).counts == RecordCounts(repeated: 900)) }
        }
    }

    @Test("A play at the same time as thousands of others is not joined with any, and removing and deleting work")
    func crowd() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            // It is joined with another source while the hour has few plays.
            _ = try await record([.play("Song 3", by: "Artist 3", at: 9, .spotifyHistory, duration: nil)], of: history)
            _ = try await record(moment(0..<10), of: history)
            #expect(try await history.listens().count == 10)
            let id = LibraryID(key: 5)
            _ = try await record(moment(10..<2_000), import: id, of: history)
            let crowded = try await history.shown()
            #expect(crowded.count == 2_001 && crowded.allSatisfy { $0.sources.count == 1 })
            let deleted = try #require(try await history.listens().first { $0.song.title == "Song 1000" })
            #expect(
                try await database.write {
                    try $0.listening.deleteListen(deleted.id, userID: history.userID, now: WrittenHistory.first)
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
    func emptied(way: Int) async throws {
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
            let alone = try await WrittenHistory.new(in: database, name: "alone")
            _ = try await record(plays, of: alone)
            let expected = try await alone.shown()
            #expect(expected.count == 150 && expected.allSatisfy { $0.sources.count == 2 })
            let history = try await WrittenHistory.new(in: database)
            let id = LibraryID(key: 5)
            _ = try await record(way % 2 == 0 ? plays : crowd, import: way % 2 == 0 ? nil : id, of: history)
            _ = try await record(way % 2 == 0 ? crowd : plays, import: way % 2 == 0 ? id : nil, of: history)
            #expect(try await history.shown().count == 501)
            try await history.remove(way < 2 ? .importing(id) : .source(.lastfm))
            #expect(try await history.shown() == expected)
            #expect(try await database.read { try $0.listening.count(userID: history.userID) } == 150)
        }
    }

    @Test("Listens among many crowds are recorded and removed in parts, each of which reads a bounded number of rows")
    func parts() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            // Enough almost crowded hours to need more than one part.
            let hours = 30
            for hour in 0..<hours {
                let plays = (0..<ListenHour.most - 20).map { number in
                    NewObservation.play(
                        "Song \(number)", by: "Artist \(number)", at: Double(hour * 3_600 + number * 9), .lastfm)
                }
                _ = try await record(plays, of: history)
            }
            let id = LibraryID(key: 5)
            var random = SeededRandom(seed: 1)
            let listens = (0..<hours).map { hour in
                NewObservation.play("Other", by: "Else", at: Double(hour * 3_600 + 1_000), client: "one")
            }.shuffled(using: &random)
            var (remaining, most, parts) = (listens[...], 0, 0)
            while !remaining.isEmpty {
                let some = Array(remaining)
                let recorded = try await database.write {
                    try $0.listening.recordPart(of: some, import: id, userID: history.userID, now: WrittenHistory.first)
                }
                #expect(recorded.taken > 0 && recorded.counts.new == recorded.taken)
                remaining = remaining.dropFirst(recorded.taken)
                (most, parts) = (max(most, recorded.work.rows), parts + 1)
            }
            // What was begun is finished: everything within half a day.
            let bound = mostDerivedRows + 3 * 30 * ListenHour.most
            #expect(most <= bound && parts > 1, "\(most) rows, \(parts) parts")
            let count = try await database.read { try $0.listening.count(userID: history.userID) }
            #expect(count == hours * (ListenHour.most - 20) + hours)
            try await history.remove(.importing(id))
            #expect(try await database.read { try $0.listening.count(userID: history.userID) } == count - hours)
        }
    }

    @Test("Two programs of one source that were joined in a crowd are separated and deleted together")
    func joinedPrograms() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            _ = try await record(moment(0..<500), of: history)
            /// Joins two observations at different times, as without the bounds.
            func join(_ title: String, at seconds: Double) async throws -> LibraryID {
                let two = [("three", 0.0), ("four", 30)].map { client, late in
                    NewObservation.play(title, by: "Both", at: seconds + late, client: client)
                }
                _ = try await record(two, import: LibraryID(key: 5), of: history)
                return try await database.write { transaction in
                    let ids = try transaction.map(
                        """
                        SELECT l.id FROM listens l
                            JOIN listen_songs s ON s.history_id = l.history_id AND s.id = l.song_id
                        WHERE s.title = \(title) ORDER BY l.started_at
                        """
                    ) { try $0["id"] as Int64 }
                    try transaction.run(
                        "UPDATE listen_observations SET listen_id = \(ids[0]) WHERE listen_id = \(ids[1])")
                    try transaction.run("DELETE FROM listens WHERE id = \(ids[1])")
                    return LibraryID(key: ids[0])
                }
            }
            let deleted = try await join("Deleted", at: 100)
            #expect(
                try await database.write {
                    try $0.listening.deleteListen(deleted, userID: history.userID, now: WrittenHistory.first)
                })
            #expect(try await history.shown().allSatisfy { $0.title != "Deleted" })
            _ = try await join("Kept", at: 200)
            // The observation that is shown is removed, and the other one becomes a separate listen.
            try await database.write { transaction in
                try transaction.run(
                    "UPDATE listen_observations SET import_id = NULL WHERE started_at = \(WrittenHistory.moment(230))")
            }
            try await history.remove(.importing(LibraryID(key: 5)))
            #expect(try await history.shown().filter { $0.title == "Kept" }.map(\.seconds) == [230])
        }
    }

    @Test("Listens that were joined in a crowd are separated when one of their sources is removed")
    func joinedBefore() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            _ = try await record(moment(0..<500), of: history)
            let sources = [ListenSource.listenBrainzFile, .lastfm]
            let two = sources.map { NewObservation.play("Two", at: 9, $0, duration: nil) }
            _ = try await record(two, of: history)
            try await database.write { transaction in
                let ids = try transaction.map(
                    "SELECT id FROM listens WHERE sources <> \(ListenSource.listenBrainz.bit) ORDER BY id"
                ) { try $0["id"] as Int64 }
                try transaction.run(
                    "UPDATE listen_observations SET listen_id = \(ids[0]) WHERE listen_id = \(ids[1])")
                try transaction.run("DELETE FROM listens WHERE id = \(ids[1])")
                let bits = sources.reduce(0) { $0 | $1.bit }
                try transaction.run("UPDATE listens SET sources = \(bits) WHERE id = \(ids[0])")
            }
            try await history.remove(.source(.listenBrainzFile))
            let left = try await history.shown().filter { $0.title == "Two" }
            #expect(left.map(\.sources) == [[.lastfm]])
        }
    }

    @Test("A crowd gives the same listens in any order")
    func orders() async throws {
        try await withDatabase { database, _ in
            let observations =
                moment(0..<300) + moment(100..<250, client: "two")
                + (0..<40).map { .play("Song \($0)", by: "Artist \($0)", at: 7 + 3_700, client: "two") }
                + (0..<40).map { .play("Song \($0)", by: "Artist \($0)", at: 12 + 3_700, client: "one") }
            var expected: [WrittenHistory.Shown]?
            for seed in 0..<4 {
                var random = SeededRandom(seed: UInt64(seed))
                let history = try await WrittenHistory.new(in: database, name: "a\(seed)")
                _ = try await record(observations.shuffled(using: &random), of: history)
                let shown = try await history.shown().sorted { "\($0)" < "\($1)" }
                #expect(shown == expected ?? shown)
                expected = shown
            }
            #expect(expected?.count == 450 + 40)
        }
    }

    @Test("Plays of two programs that overlap in a chain cost the same at the chain's end as at its beginning")
    func chain() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            var works: [DerivationWork] = []
            for number in 0..<300 {
                let play = NewObservation.play(
                    at: Double(number) * 1_700, duration: 3_600_000, client: number % 2 == 0 ? "one" : "two")
                works.append(try await record([play], of: history).work)
            }
            let most = try #require(works[..<100].map(\.rows).max())
            #expect(works[100...].allSatisfy { $0.rows <= most }, "\(works.map(\.rows))")
            // A play in the middle, where both directions are connected.
            let play = NewObservation.play(at: 150 * 1_700 + 5, duration: 3_600_000, client: "three")
            let middle = try await record([play], of: history)
            #expect(middle.work.rows <= 4 * most)
            let listens = try await history.listens()
            let counted = try await database.read { try $0.listening.count(userID: history.userID) }
            #expect(listens.count == counted)
        }
    }

    @Test("Finding observations of a song or an import uses the index, and does not read a whole hour or history")
    func plans() async throws {
        try await withDatabase { database, _ in
            func plan(_ condition: SQL) async throws -> [String] {
                try await database.read {
                    let query: SQL =
                        "SELECT o.id, o.source FROM listen_observations o WHERE o.history_id = 1 AND " + condition
                    return try $0.rows(.onlySQLite("EXPLAIN QUERY PLAN " + query)).map { try $0["detail"] as String }
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
    func programs() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            func play(_ number: Int) -> NewObservation {
                .play(at: Double(number % 60), client: "program \(number)")
            }
            _ = try await record((0..<ListenHour.most - 3).map(play), of: history)
            // The last observations before the hour is crowded, and the first ones after.
            for number in (ListenHour.most - 3)..<(ListenHour.most + 6) {
                let (counts, work) = try await record([play(number)], of: history)
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

    @Test("Undoing an import and removing a source leave none of their songs or details")
    func unusedSongs() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            _ = try await record([.play("Kept", at: 0, details: #"{"a":1}"#)], of: history)
            let id = LibraryID(key: 5)
            let file = (0..<450).map { number in
                NewObservation.play(
                    "Song \(number)", at: Double(number) * 300 + 600, .listenBrainzFile, details: #"{"b":\#(number)}"#)
            }
            _ = try await record(file + [.play("Kept", at: 2, .lastfm, details: #"{"a":1}"#)], import: id, of: history)
            _ = try await record([.play("Other", at: 900_000, .spotifyHistory, played: 180_000)], of: history)
            try await history.remove(.importing(id))
            try await history.remove(.source(.spotifyHistory))
            func texts(_ statement: SQL) async throws -> [String] {
                try await database.read { try $0.map(statement) { try $0["text"] } }
            }
            #expect(try await texts("SELECT title AS text FROM listen_songs") == ["Kept"])
            #expect(try await texts("SELECT details AS text FROM listen_details") == [#"{"a":1}"#])
            let use = try await database.read { try $0.listening.use(ofUser: history.userID) }
            #expect(use == ListenUse(listens: 1, bytes: "KeptAda".utf8.count + #"{"a":1}"#.utf8.count))
        }
    }

    @Test("A repeat in different words stores nothing and does not count")
    func repeatedInOtherWords() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            _ = try await record([.play("One", at: 0, details: #"{"a":1}"#)], of: history)
            let use = try await database.read { try $0.listening.use(ofUser: history.userID) }
            let others = (0..<40).map { number in
                NewObservation.play(
                    "One (Remastered \(1980 + number))", at: 0, duration: 180_000 + number,
                    details: #"{"b":\#(number)}"#)
            }
            let again = try await database.write {
                try $0.listening.record(
                    others, userID: history.userID, quota: ListenQuota(bytes: use.bytes), now: WrittenHistory.first)
            }
            #expect(again == RecordCounts(repeated: 40))
            #expect(try await database.read { try $0.listening.use(ofUser: history.userID) } == use)
            let songs: [String] = try await database.read {
                try $0.map("SELECT title FROM listen_songs") { try $0["title"] }
            }
            #expect(songs == ["One"])
        }
    }

    @Test("A person at the quota's limit can store nothing more, but repeats are accepted")
    func quota() async throws {
        try await withDatabase { database, _ in
            let history = try await WrittenHistory.new(in: database)
            let plays = (0..<11).map { NewObservation.play("Song \($0)", at: Double($0) * 300) }
            func record(_ plays: [NewObservation], _ quota: ListenQuota) async throws -> RecordCounts {
                try await database.write {
                    try $0.listening.record(plays, userID: history.userID, quota: quota, now: WrittenHistory.first)
                }
            }
            #expect(try await record(Array(plays[..<10]), ListenQuota(listens: 10)).new == 10)
            await #expect(throws: QuotaReached(.listens, limit: 10, used: 10, asked: 1)) {
                _ = try await record(plays, ListenQuota(listens: 10))
            }
            #expect(try await record(Array(plays[..<10]), ListenQuota(listens: 9)).repeated == 10)
            let bytes = try await database.read { try $0.listening.use(ofUser: history.userID).bytes }
            await #expect(throws: QuotaReached(.listenBytes, limit: bytes, used: bytes, asked: 10)) {
                _ = try await record([plays[10]], ListenQuota(bytes: bytes))
            }
            #expect(try await history.listens().count == 10)
            #expect(try await record([plays[10]], ListenQuota(listens: 11, bytes: bytes + 10)).new == 1)
        }
    }
}
