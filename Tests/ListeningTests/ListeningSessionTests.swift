import Model
import Storage
import TestSupport
import Testing

@testable import Listening

@Suite("Listening sessions", .timeLimit(.minutes(5)))
struct ListeningSessionTests {
    private func listen(_ minutes: Double, _ track: Int64?) -> (startedAt: Timestamp, track: Int64?) {
        (TestHistory.moment(minutes * 60), track)
    }

    @Test("A session ends where nothing began for half an hour, and has each song of the library once")
    func endOfASession() {
        let sessions = ListeningSession.sessions(of: [
            listen(0, 1), listen(4, nil), listen(34, 2), listen(38, 1), listen(68.5, nil), listen(200, 3),
        ])
        #expect(
            sessions == [
                ListeningSession(began: TestHistory.moment(0), tracks: [1, 2]),
                ListeningSession(began: TestHistory.moment(12_000), tracks: [3]),
            ])
        #expect(ListeningSession.sessions(of: []).isEmpty)
    }

    @Test("Sessions are read from the latest listens, without songs that the library does not have")
    func sessionsOfTheLibrary() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            try await history.record((0..<4).map { .play("Song \($0)", at: Double($0) * 3_600) })
            let userID = history.userID
            func sessions(_ limit: Int) async throws -> [ListeningSession] {
                try await database.read { try $0.listening.latestSessions(userID: userID, ofListens: limit) }
            }
            #expect(try await sessions(10).isEmpty)
            try await database.write { transaction in
                try transaction.run("UPDATE listen_songs SET track_id = id + 100")
            }
            #expect(try await sessions(10).count == 4)
            #expect(try await sessions(2).map(\.began) == [7_200, 10_800].map { TestHistory.moment($0) })
            #expect(try await database.read { try $0.listening.latestSessions(userID: "nobody", ofListens: 9) }.isEmpty)
        }
    }
}
