import Model
import Storage
import TestSupport
import Testing

@testable import Listening

@Suite("What a history of listens occupies", .timeLimit(.minutes(5)))
struct ListenUseTests {
    @Test("Undoing an import and removing a source leave none of their songs or details")
    func unusedSongs() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            _ = try await history.recordInParts([.play("Kept", at: 0, details: #"{"a":1}"#)])
            let id = LibraryID(key: 5)
            let file = (0..<450).map { number in
                NewObservation.play(
                    "Song \(number)", at: Double(number) * 300 + 600, .listenBrainzFile, details: #"{"b":\#(number)}"#)
            }
            _ = try await history.recordInParts(
                file + [.play("Kept", at: 2, .lastfm, details: #"{"a":1}"#)], import: id)
            _ = try await history.recordInParts([.play("Other", at: 900_000, .spotifyHistory, played: 180_000)])
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
            let history = try await TestHistory.new(in: database)
            _ = try await history.recordInParts([.play("One", at: 0, details: #"{"a":1}"#)])
            let use = try await database.read { try $0.listening.use(ofUser: history.userID) }
            let others = (0..<40).map { number in
                NewObservation.play(
                    "One (Remastered \(1980 + number))", at: 0, duration: 180_000 + number,
                    details: #"{"b":\#(number)}"#)
            }
            let again = try await database.write {
                try $0.listening.record(
                    others, userID: history.userID, quota: ListenQuota(bytes: use.bytes), now: TestHistory.first)
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
    func limitOfTheQuota() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            let plays = (0..<11).map { NewObservation.play("Song \($0)", at: Double($0) * 300) }
            func record(_ plays: [NewObservation], _ quota: ListenQuota) async throws -> RecordCounts {
                try await database.write {
                    try $0.listening.record(plays, userID: history.userID, quota: quota, now: TestHistory.first)
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
