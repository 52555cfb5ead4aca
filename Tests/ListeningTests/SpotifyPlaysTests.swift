import Model
import Storage
import TestSupport
import Testing

@testable import Listening

@Suite("Spotify's list of recently played songs", .timeLimit(.minutes(5)))
struct SpotifyPlaysTests {
    /// Plays of three-minute songs that ended at the given seconds.
    private func plays(_ ends: [Double]) -> [SpotifyPlays.Play] {
        ends.map { end in
            var song = SongDescription(title: "Song \(Int(end))", artist: "Ada")
            song.durationMilliseconds = 180_000
            return SpotifyPlays.Play(song: song, endedAt: TestHistory.moment(end))
        }
    }

    /// Plays one after another, three minutes each.
    private func evening(_ numbers: Range<Int>) -> [SpotifyPlays.Play] { plays(numbers.map { Double($0) * 180 }) }

    private func read(
        _ plays: [SpotifyPlays.Play], isFull: Bool = false, into history: TestHistory
    ) async throws -> RecordCounts {
        try await history.database.write {
            try $0.listening.record(
                SpotifyPlays(plays, isFull: isFull), userID: history.userID, now: TestHistory.moment(100_000))
        }
    }

    private func gaps(_ history: TestHistory) async throws -> [ListenGap] {
        try await history.database.read { try $0.listening.gaps(userID: history.userID) }
    }

    @Test("Each play counts once, and starts its length before its end, but not before the previous play ended")
    func beginningOfAPlay() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            // The second was started again, and the third cut short after 70 s; the list has the latest first.
            let list = Array(plays([0, 180, 250, 1_000]).reversed())
            #expect(try await read(list, into: history).new == 4)
            let again = try await read(list + plays([1_180]), into: history)
            #expect(again.new == 1 && again.repeated == 4)
            let shown = try await history.shown()
            #expect(shown.map(\.seconds) == [-180, 0, 180, 820, 1_000])
            #expect(shown.map(\.played) == [nil, nil, 70_000, nil, nil])
            #expect(shown.allSatisfy { $0.sources == [.spotifyRecent] })
        }
    }

    @Test("A play that arrives late is added before those that are known")
    func lateArrival() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            _ = try await read(plays([0, 720]), into: history)
            #expect(try await read(plays([0, 360, 720]), into: history).new == 1)
            #expect(try await history.shown().map(\.title) == ["Song 0", "Song 360", "Song 720"])
            #expect(try await gaps(history).isEmpty)
        }
    }

    @Test("A full list without a known play leaves a gap, which is closed by an export that reaches into it")
    func gapInTheList() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            // Nothing is known to be missing before the first read.
            _ = try await read(evening(0..<50), isFull: true, into: history)
            #expect(try await gaps(history).isEmpty)
            _ = try await read(evening(49..<99), isFull: true, into: history)
            #expect(try await gaps(history).isEmpty)
            _ = try await read(evening(110..<160), isFull: true, into: history)
            let gap = ListenGap(
                source: .spotifyRecent, from: TestHistory.moment(98 * 180), to: TestHistory.moment(110 * 180))
            #expect(try await gaps(history) == [gap])
            // A list that is not full has everything.
            _ = try await read(evening(170..<172), into: history)
            #expect(try await gaps(history) == [gap])
            try await history.record([
                .play(at: 105 * 180, .spotifyHistory, stamp: .end, played: 180_000, duration: nil)
            ])
            #expect(try await gaps(history).isEmpty)
        }
    }

    @Test("An empty list changes only the time of the last contact")
    func emptyList() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            _ = try await read([], into: history)
            let contacts = try await database.read { try $0.listening.lastContacts(userID: history.userID) }
            #expect(contacts.map(\.source) == [.spotifyRecent])
            #expect(contacts.map(\.lastContact) == [TestHistory.moment(100_000)])
            #expect(try await history.shown().isEmpty)
        }
    }

    @Test("What a person removed is not read again from the same list")
    func removedPlays() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            _ = try await read(evening(0..<10), into: history)
            try await database.write { transaction in
                _ = try transaction.listening.beginRemoval(
                    of: .spotifyRecent, userID: history.userID, now: TestHistory.moment(1_700))
            }
            try await history.remove(.source(.spotifyRecent))
            _ = try await read(evening(0..<12), into: history)
            #expect(try await history.shown().map(\.title) == ["Song 1800", "Song 1980"])
        }
    }

    @Test("What Spotify reports after a removal is read, although the clock was ahead when it was requested")
    func removedByAClockAhead() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            _ = try await read(evening(0..<3), into: history)
            try await database.write { transaction in
                _ = try transaction.listening.beginRemoval(
                    of: .spotifyRecent, userID: history.userID, now: TestHistory.moment(8 * 365 * 86_400))
            }
            try await history.remove(.source(.spotifyRecent))
            #expect(try await read(evening(0..<5), into: history).new == 2)
        }
    }

    @Test("The list is read often while the person listens, and rarely otherwise")
    func intervalsOfReading() {
        let list = SpotifyPlays(evening(0..<10), isFull: false)
        let interval = Duration.seconds(240)
        #expect(list.nextInterval(interval, at: TestHistory.moment(9 * 180 + 1_799)) == interval)
        #expect(list.nextInterval(interval, at: TestHistory.moment(9 * 180 + 1_800)) == .seconds(1_200))
        #expect(SpotifyPlays([], isFull: false).nextInterval(interval, at: .now()) == .seconds(1_200))
    }
}
