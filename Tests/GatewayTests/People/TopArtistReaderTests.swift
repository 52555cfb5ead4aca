import Model
import People
import Storage
import Testing
import Visibility

@testable import Listening
@testable import PeopleHTTP

@Suite("Reading the artists of people")
struct TopArtistReaderTests {
    /// A person with listens to songs of these artists.
    private func addListener(
        _ userID: String, _ plays: [(artist: String, plays: Int)], in database: Database
    ) async throws {
        try await database.write { transaction in
            if try transaction.visibility.person(userID: userID) == nil {
                try transaction.visibility.add(userID: userID)
            }
            let history = try transaction.listening.openHistory(ofUser: userID, now: .now())
            for (index, play) in plays.enumerated() {
                try transaction.run(
                    """
                    INSERT INTO listen_songs (history_id, id, said_key, title, artist, plays, change)
                    VALUES (\(history), \(index + 1), \(index + 1), 'Song', \(play.artist), \(play.plays), 0)
                    ON CONFLICT (history_id, id) DO UPDATE SET plays = excluded.plays, artist = excluded.artist
                    """)
            }
            try transaction.listening.recordChange(ofHistory: history, userID: userID, difference: 0)
        }
    }

    private func artists(of userID: String, in database: Database) async throws -> [String] {
        try await database.read { reader in
            guard let key = try reader.visibility.key(ofUser: userID) else { return [] }
            return try reader.people.artists(of: key).map(\.name)
        }
    }

    @Test("A history is read when it has changed, and again a day later at the earliest")
    func changes() async throws {
        try await withDatabase { database, _ in
            let reader = TopArtistReader(database: database)
            let now = Timestamp.now()
            try await addListener("ada", [("Muse", 3), ("Adele", 5), ("muse", 4)], in: database)
            #expect(try await reader.run(now: now) == 1)
            #expect(try await artists(of: "ada", in: database) == ["Muse", "Adele"])
            #expect(try await reader.run(now: now) == 0)
            try await addListener("ada", [("Björk", 9)], in: database)
            #expect(try await reader.run(now: now.advanced(by: .seconds(86_399))) == 0)
            // The run before has ended with the last person, so that this one begins with the first.
            #expect(try await reader.run(now: now.advanced(by: .seconds(86_400))) == 1)
            #expect(try await artists(of: "ada", in: database) == ["Björk", "Adele", "muse"])
        }
    }

    @Test("A run reads a few histories and goes on with the next ones")
    func manyPeople() async throws {
        try await withDatabase { database, _ in
            for number in 0..<45 { try await addListener("person \(number)", [("Muse", 1)], in: database) }
            let reader = TopArtistReader(database: database)
            var reads: [Int] = []
            for _ in 0..<4 { reads.append(try await reader.run()) }
            #expect(reads == [20, 20, 5, 0])
            for number in 0..<45 { #expect(try await artists(of: "person \(number)", in: database) == ["Muse"]) }
        }
    }

    @Test("A history of many songs is read in parts, and one that was removed leaves no artists")
    func largeAndRemoved() async throws {
        try await withDatabase { database, _ in
            let songs = (0..<4_500).map { (artist: "Artist \($0 % 3)", plays: 1 + $0 % 3) }
            try await addListener("ada", songs, in: database)
            let reader = TopArtistReader(database: database)
            _ = try await reader.run()
            #expect(try await artists(of: "ada", in: database) == ["Artist 2", "Artist 1", "Artist 0"])
            try await database.write { transaction in
                try transaction.run("DELETE FROM listen_songs")
                try transaction.run("DELETE FROM listen_histories")
            }
            _ = try await reader.run(now: Timestamp.now().advanced(by: .seconds(100_000)))
            _ = try await reader.run(now: Timestamp.now().advanced(by: .seconds(100_000)))
            #expect(try await artists(of: "ada", in: database).isEmpty)
        }
    }
}
