import Model
import Storage
import TestSupport
import Testing

@testable import Listening

/// Some reports of plays, and the number of listens that they should lead to.
struct ReportedPlays: Sendable, CustomStringConvertible {
    var description: String
    var observations: [NewObservation]
    var listens: Int

    init(_ description: String, _ listens: Int, _ observations: [NewObservation]) {
        (self.description, self.observations, self.listens) = (description, observations, listens)
    }
}

@Suite("A play that several sources report, or that one source reports again", .timeLimit(.minutes(5)))
struct ListenReportedAgainTests {
    private static func history(_ end: Double, played: Int = 200_000) -> NewObservation {
        .play(at: end, .spotifyHistory, stamp: .end, played: played, duration: nil, spotifyID: "s1")
    }

    private static func lastfm(_ seconds: Double, precision: NewObservation.Precision = .minute) -> NewObservation {
        .play(at: seconds, .lastfm, precision: precision, duration: nil)
    }

    static let ends: [ReportedPlays] = [
        .init(
            "Spotify's row, Last.fm to the minute, and a player that records the end", 1,
            [history(200), lastfm(-20), .play(at: 203, duration: 213_000, client: "player")]),
        .init(
            "the same with a player that reports no length", 1,
            [history(200), lastfm(-20), .play(at: 198, duration: nil, client: "player")]),
        .init(
            "Last.fm to the second, nearer to the time played than to the length", 1,
            [history(160, played: 160_000), lastfm(0, precision: .second), .play(at: 161, duration: 213_000)]),
        .init("Last.fm, and a player that records the end", 1, [lastfm(-20), .play(at: 175, client: "player")]),
        .init(
            "a play and the next one of the same song, each reported by both", 2,
            [
                lastfm(0, precision: .second), lastfm(180, precision: .second), .play(at: 4, client: "player"),
                .play(at: 183, client: "player"),
            ]),
        .init(
            "two ends that a player records, of plays that Last.fm has to the minute", 2,
            [
                lastfm(-20), lastfm(400), history(180, played: 180_000), history(610, played: 180_000),
                .play(at: 181, client: "player"), .play(at: 612, client: "player"),
            ]),
        .init("an end that is too far from any play", 2, [lastfm(-20), .play(at: 300, client: "player")]),
        .init(
            "another song at the end of a play", 2,
            [history(200), lastfm(-20), .play("Another", by: "Bob", at: 201, client: "player")]),
    ]

    static let again: [ReportedPlays] = [
        .init("a player's report, repeated 2 s later", 1, [.play(at: 0), .play(at: 2)]),
        .init("the same without a length", 1, [.play(at: 0, duration: nil), .play(at: 1, duration: nil)]),
        .init("the same in a Last.fm file", 1, [lastfm(0, precision: .second), lastfm(1, precision: .second)]),
        .init("three reports, each 2 s after the previous one", 2, [.play(at: 0), .play(at: 2), .play(at: 4)]),
        .init("3 s apart", 2, [.play(at: 0), .play(at: 3)]),
        .init("another length", 2, [.play(at: 0), .play(at: 1, duration: 181_000)]),
        .init("another song", 2, [.play(at: 0), .play("Two", at: 1)]),
        .init("times to the minute, which may have many plays", 2, [lastfm(0), lastfm(60)]),
        .init("a row of Spotify's history, and the same 12 s later", 1, [history(200), history(212)]),
        .init("rows with different times played", 2, [history(200), history(212, played: 31_000)]),
        .init("the next round of a loop, to the second", 2, [history(200), history(399)]),
        .init("a round that began before the first could have ended", 1, [history(200), history(398)]),
        .init(
            "a repeated report that another source has, too", 1,
            [.play(at: 0, client: "one"), .play(at: 2, client: "one"), .play(at: 1, client: "two"), history(181)]),
    ]

    @Test("Reports lead to as many listens as there can have been plays, in any order", arguments: ends + again)
    func numberOfListens(_ reported: ReportedPlays) async throws {
        try await withDatabase { database, _ in
            var expected: [TestHistory.ListenContent]?
            for seed in 0..<4 {
                var random = SeededRandom(seed: UInt64(seed))
                let history = try await TestHistory.new(in: database, name: "a\(seed)")
                for observation in reported.observations.shuffled(using: &random) {
                    try await history.record([observation])
                }
                let shown = try await history.shown()
                #expect(shown.count == reported.listens, "\(shown)")
                #expect(shown == expected ?? shown)
                expected = shown
            }
        }
    }

    @Test("Rows of one file are separate plays, whatever programs they name, unless not all of them can have happened")
    func oneFile() async throws {
        try await withDatabase { database, _ in
            func rows(_ starts: [Double]) -> [NewObservation] {
                zip(starts, ["one", nil, "two"]).map {
                    .play(at: $0, .listenBrainzFile, precision: .millisecond, client: $1)
                }
            }
            let history = try await TestHistory.new(in: database)
            // One after another: each begins when the previous one ends.
            let three = rows([0, 180, 360])
            #expect(try await history.record(three, import: LibraryID(key: 11)).new == 3)
            #expect(try await history.shown().map(\.seconds) == [0, 180, 360])
            #expect(try await history.record(three, import: LibraryID(key: 12)) == RecordCounts(repeated: 3))
            let other = try await TestHistory.new(in: database, name: "eve")
            try await other.record(rows([0, 1, 600]), import: LibraryID(key: 13))
            #expect(try await other.shown().count == 2)
        }
    }

    @Test(
        "A row of our own export repeats the listen with its start and words, and changes nothing",
        arguments: [nil, "player"])
    func ownExport(client: String?) async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            let first = LibraryID(key: 11)
            try await history.record([Self.history(200)], import: first)
            // Five seconds after the start, as a file without the program's name has it.
            let later = NewObservation.play(at: 5, .listenBrainzFile, duration: nil, client: client)
            try await history.record([later], import: first)
            let shown = try await history.shown()
            #expect(shown.count == 1 && shown[0].seconds == 0)
            var row = NewObservation.play(at: 0, .listenBrainzFile, duration: nil, spotifyID: "s1")
            row.isExported = true
            #expect(try await history.record([row], import: LibraryID(key: 12)) == RecordCounts(repeated: 1))
            #expect(try await history.shown() == shown)
            // Another song is a listen of its own.
            var other = NewObservation.play(at: 0, .listenBrainzFile, duration: nil, spotifyID: "s2")
            other.isExported = true
            other.song.title = "Another"
            #expect(try await history.record([other], import: LibraryID(key: 13)).new == 1)
            // What the export repeats outlives the import that had it first.
            try await history.remove(.importing(LibraryID(key: 13)))
            try await history.remove(.importing(first))
            #expect(try await history.shown().map(\.seconds) == [0])
        }
    }

    @Test("Deleting a play that was reported again deletes both reports")
    func deletedPlay() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            try await history.record([.play(at: 0), .play(at: 2)])
            let listen = try #require(try await history.listens().first)
            #expect(
                try await database.write {
                    try $0.listening.deleteListen(listen.id, userID: history.userID, now: TestHistory.first)
                })
            try await history.record([.play(at: 2), .play(at: 1, client: "other")])
            #expect(try await history.shown().isEmpty)
        }
    }
}
