import Model
import Storage
import TestSupport
import Testing

@testable import Listening

@Suite("Feedback on recordings", .timeLimit(.minutes(5)))
struct RecordingFeedbackTests {
    private static let mbid = "b1a9c0e9-d987-4042-ae91-78d6a3267d69"

    private func song(_ title: String, album: String? = nil, mbid: String? = nil) -> SongDescription {
        SongDescription(title: title, artist: "Ada", album: album, recordingMBID: mbid)
    }

    private func recording(_ msid: String? = nil, mbid: String? = nil) throws -> RecordingFeedback.Recording {
        try #require(RecordingFeedback.Recording(msid: msid, mbid: mbid))
    }

    private func setFeedback(
        _ score: RecordingFeedback.Score?, _ recording: RecordingFeedback.Recording, playing: SongDescription? = nil,
        of history: TestHistory
    ) async throws {
        let isStored = try await history.database.write {
            try $0.listening.setFeedback(
                score, on: recording, playing: playing, userID: history.userID, now: TestHistory.first)
        }
        #expect(isStored)
    }

    private func all(
        _ history: TestHistory, _ score: RecordingFeedback.Score? = nil
    ) async throws -> [RecordingFeedback] {
        try await history.database.read {
            try $0.listening.feedback(userID: history.userID, score: score, limit: 100).items
        }
    }

    /// Searches in the same way as the gateway's upkeep.
    private func search(_ history: TestHistory, limit: Int = 2) async throws -> Bool {
        let database = history.database
        guard let search = try await database.read({ try $0.listening.feedbackSearch(ofUser: history.userID) }) else {
            return false
        }
        var next: Int64? = 0
        while let last = next {
            let found = try await database.read { try $0.listening.search(search, after: last, limit: limit) }
            if !found.isEmpty {
                try await database.write { try $0.listening.write(found, of: search, userID: history.userID) }
            }
            next = found.last
        }
        try await database.write { try $0.listening.end(search) }
        return true
    }

    @Test("The latest feedback on a recording counts, by either of its ids, and none is left once it is withdrawn")
    func latestFeedbackCounts() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            let msid = song("One").msid
            try await setFeedback(nil, try recording(msid), of: history)
            try await setFeedback(.loved, try recording(msid), of: history)
            try await setFeedback(.loved, try recording(mbid: Self.mbid), of: history)
            #expect(try await all(history).map(\.score) == [.loved, .loved])
            let both = try recording(msid, mbid: Self.mbid)
            try await setFeedback(.hated, both, of: history)
            #expect(try await all(history).map(\.score) == [.hated])
            #expect(try await all(history).map(\.recording) == [both])
            #expect(try await all(history, .loved).isEmpty)
            try await setFeedback(nil, try recording(mbid: Self.mbid), of: history)
            #expect(try await all(history).isEmpty)
        }
    }

    @Test("Feedback on songs that were heard lately or are playing is matched at once, and counts for every album")
    func feedbackOnKnownSongs() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            try await history.record([
                .play("One", at: 0, album: "First"), .play("One", at: 900, album: "Second"), .play("Two", at: 1_800),
            ])
            let said = try await history.listens()
            let first = try #require(said.last?.song)
            try await setFeedback(.hated, try recording(first.msid), of: history)
            try await setFeedback(.loved, try recording(song("Now").msid), playing: song("Now"), of: history)
            let given = try await all(history)
            #expect(given.map { $0.song?.title } == ["Now", "One"] && given.last?.song?.album == "First")
            #expect(try await history.listens().map(\.feedback) == [nil, .hated, .hated])
            try await history.record([.play("Now", at: 2_700)])
            #expect(try await history.listens().first?.feedback == .loved)
            let id = try #require(given.last?.id)
            #expect(try await database.write { try $0.listening.deleteFeedback(id, userID: history.userID) })
            #expect(try await history.listens().map(\.feedback) == [.loved, nil, nil, nil])
            let eve = try await TestHistory.new(in: database, name: "eve")
            #expect(try await !database.write { try $0.listening.deleteFeedback(given[0].id, userID: eve.userID) })
        }
    }

    @Test("Unknown recordings are found among all songs, including later ones, with ids in either field")
    func unknownRecordings() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            #expect(try await !search(history))
            // More songs than are examined when feedback is given.
            let plays = (0..<450).map { NewObservation.play("Song \($0)", at: Double($0) * 300) }
            for start in stride(from: 0, to: plays.count, by: 200) {
                try await history.record(Array(plays[start..<min(start + 200, plays.count)]))
            }
            let old = try #require(try await history.listens().last?.song)
            try await setFeedback(.loved, try recording(old.msid), of: history)
            // Some players send the MusicBrainz id in place of the other one.
            try await setFeedback(.hated, try recording(Self.mbid), of: history)
            #expect(try await all(history).map { $0.song?.title } == [nil, nil])
            #expect(try await database.read { try $0.listening.peopleToSearchFeedback(limit: 9) } == [history.userID])
            #expect(try await search(history))
            #expect(try await all(history).map { $0.song?.title } == [nil, "Song 0"])
            #expect(try await !search(history), "nothing was reported since")
            let late = NewObservation(
                source: .listenBrainz, song: song("Late", mbid: Self.mbid), time: TestHistory.moment(200_000))
            try await history.record([late])
            #expect(try await history.listens().first?.feedback == .hated)
            #expect(try await search(history))
            #expect(try await all(history).map { $0.song?.title } == ["Late", "Song 0"])
        }
    }

    @Test("Feedback given during a search is found by the next search")
    func duringSearch() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            try await history.record([.play("One", at: 0)])
            try await setFeedback(.loved, try recording(mbid: Self.mbid), of: history)
            let under = try #require(
                try await database.read { try $0.listening.feedbackSearch(ofUser: history.userID) })
            try await setFeedback(.loved, try recording(song("Unknown").msid), of: history)
            try await database.write { try $0.listening.end(under) }
            #expect(try await database.read { try $0.listening.peopleToSearchFeedback(limit: 9) } == [history.userID])
            #expect(try await search(history))
            #expect(try await database.read { try $0.listening.peopleToSearchFeedback(limit: 9) } == [])
        }
    }

    @Test("Ids are read in the forms that the ListenBrainz server accepts, and the id of words ignores case")
    func formsOfIDs() {
        let plain = Self.mbid.replacing("-", with: "")
        for text in [Self.mbid, Self.mbid.uppercased(), plain, "{\(Self.mbid)}", "urn:uuid:\(Self.mbid)"] {
            #expect(RecordingID.canonical(text) == Self.mbid, "\(text)")
        }
        for text in [
            "", "x", String(plain.dropLast()), plain + "0", Self.mbid.replacing("b", with: "g"), "urn:" + plain + plain,
        ] {
            #expect(RecordingID.canonical(text) == nil, "\(text)")
        }
        #expect(song("One", album: "A").msid == song("ONE", album: "a").msid)
        #expect(song("One", album: "A").msid != song("One").msid)
        #expect(RecordingID.canonical(song("One").msid) == song("One").msid)
    }
}
