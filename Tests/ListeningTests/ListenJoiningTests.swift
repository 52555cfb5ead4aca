import Model
import Storage
import TestSupport
import Testing

@testable import Listening

@Suite("Joining reports of one play", .timeLimit(.minutes(5)))
struct ListenJoiningTests {
    private func shown(_ observations: [NewObservation]) async throws -> [TestHistory.ListenContent] {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            for observation in observations { try await history.record([observation]) }
            return try await history.shown()
        }
    }

    @Test("A play reported live, by Spotify's list and by a later import is one listen")
    func threeSources() async throws {
        let listens = try await shown([
            .play(at: 0, client: "navidrome"),
            .play(at: 181, .spotifyRecent, stamp: .end, precision: .millisecond, spotifyID: "s1"),
            .play(at: 182, .spotifyHistory, stamp: .end, played: 179_000, duration: nil, spotifyID: "s1"),
        ])
        #expect(listens.count == 1)
        #expect(listens.first?.sources == [.listenBrainz, .spotifyRecent, .spotifyHistory])
        #expect(listens.first?.played == 179_000)
        #expect(listens.first?.seconds == 0)
    }

    @Test("A client that records the end of a play reports the same play")
    func endStamped() async throws {
        let listens = try await shown([.play(at: 0, client: "one"), .play(at: 184, client: "two", details: nil)])
        #expect(listens.count == 1)
    }

    @Test("Every play of a batch is joined with all other sources' reports of it, however large the batch is")
    func playsOfABatch() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            for source in ListenSource.allCases {
                let plays = (0..<mostRecordedListens).map {
                    NewObservation.play("Song \($0)", by: "Artist \($0)", at: Double($0) * 240, source)
                }
                try await history.record(plays)
            }
            let shown = try await history.shown()
            #expect(shown.count == mostRecordedListens)
            #expect(shown.allSatisfy { Set($0.sources) == Set(ListenSource.allCases) })
        }
    }

    @Test("A song that one source plays in a loop stays as many listens, even if another source reports them, too")
    func songInALoop() async throws {
        let loop = (0..<5).map { NewObservation.play(at: Double($0) * 40, played: 40_000, duration: 40_000) }
        #expect(try await shown(loop).count == 5)
        let others = (0..<5).map {
            NewObservation.play(
                at: Double($0) * 40 + 41, .spotifyHistory, stamp: .end, played: 40_000, duration: nil)
        }
        let listens = try await shown(loop + others)
        #expect(listens.count == 5)
        #expect(listens.allSatisfy { $0.sources.count == 2 })
    }

    @Test("Times to the minute join within that minute, and other songs at the same time do not")
    func timesToTheMinute() async throws {
        let listens = try await shown([
            .play(at: 25, .spotifyHistory, stamp: .end, played: 180_000, duration: nil),
            .play(at: -20, .spotifyAccountData, stamp: .end, precision: .minute, played: 180_000, duration: nil),
            .play("Other", at: -150, .lastfm, precision: .second, duration: nil),
        ])
        #expect(listens.map(\.title) == ["One", "Other"])
        #expect(listens.first?.sources == [.spotifyHistory, .spotifyAccountData])
        // The exact time is shown.
        #expect(listens.first?.seconds == -155)
    }

    @Test("An exact repeat is recognized, and restarts within a minute are not repeats")
    func exactRepeats() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            let three = [NewObservation](repeating: .play(at: 0), count: 3)
            #expect(try await history.record(three) == RecordCounts(new: 1, joined: 0, repeated: 2))
            #expect(try await history.record(three) == RecordCounts(repeated: 3))
            let restarts = [31_000, 45_000].map {
                NewObservation.play(
                    at: 600, .spotifyAccountData, stamp: .end, precision: .minute, played: $0, duration: nil)
            }
            #expect(try await history.record(restarts) == RecordCounts(new: 2))
            #expect(try await history.record(restarts) == RecordCounts(repeated: 2))
        }
    }

    @Test("A joined listen keeps its id, and a deleted one stays deleted, whoever reports it again")
    func idsAndDeletion() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            try await history.record([.play(at: 0), .play("Two", at: 300)])
            let before = try await history.listens()
            #expect(
                try await history.record([.play(at: 2, .lastfm, duration: nil)]) == RecordCounts(joined: 1))
            #expect(try await history.listens().map(\.id) == before.map(\.id))
            let id = try #require(before.last?.id)
            #expect(try await database.write { try $0.listening.deleteListen(id, userID: history.userID, now: .now()) })
            #expect(try await history.shown().map(\.title) == ["Two"])
            let file = LibraryID(key: 77)
            try await history.record([.play(at: 0), .play(at: 1, .listenBrainzFile)], import: file)
            try await history.remove(.importing(file))
            try await history.record([.play(at: 0), .play(at: 3, .spotifyHistory, played: 180_000)])
            #expect(try await history.shown().map(\.title) == ["Two"])
            #expect(try await database.read { try $0.listening.count(userID: history.userID) } == 1)
            #expect(
                try await !database.write { try $0.listening.deleteListen(id, userID: history.userID, now: .now()) })
        }
    }

    @Test("What an import repeated becomes permanent once that import can no longer be undone")
    func keptRepeats() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            let (one, two) = (LibraryID(key: 11), LibraryID(key: 12))
            let file = (0..<30).map { NewObservation.play("Song \($0)", at: Double($0) * 200, .spotifyHistory) }
            try await history.record(file, import: one)
            try await history.record(Array(file.prefix(9)), import: two)
            var steps: [Int] = []
            while case let count = try await database.write({
                try $0.listening.retainRepeats(ofImport: two, userID: history.userID, limit: 4)
            }), count > 0 { steps.append(count) }
            #expect(steps == [4, 4, 1])
            try await history.remove(.importing(one))
            #expect(try await history.shown().map(\.title) == file.prefix(9).map(\.song.title))
        }
    }

    @Test("Undoing an import leaves what other sources reported, and what another import also contained")
    func undoneImport() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            let (one, two) = (LibraryID(key: 11), LibraryID(key: 12))
            try await history.record([.play(at: 0)])
            let live = try await history.shown()
            let file = (0..<450).map { NewObservation.play("Song \($0)", at: Double($0) * 200, .spotifyHistory) }
            let first = try await history.record(file + [.play(at: 3, .lastfm)], import: one)
            #expect(first == RecordCounts(new: 450, joined: 1))
            let both = try await history.shown()
            #expect(try await history.record(Array(file.prefix(9)), import: two) == RecordCounts(repeated: 9))
            try await history.remove(.importing(one))
            #expect(try await history.shown().count == 10)
            try await history.record(file + [.play(at: 3, .lastfm)], import: one)
            #expect(try await history.shown() == both)
            try await history.remove(.importing(one))
            try await history.remove(.importing(two))
            #expect(try await history.shown() == live)
        }
    }
}
