import Composition
import Domains
import Storage
import TestSupport
import Testing

@testable import Gateway

@Suite("Cleaning the database's file", .timeLimit(.minutes(5)))
struct DatabaseCleaningTests {
    @Test("The cleaning pauses after each step: a cancelled one ends there, and the next run continues and finishes")
    func cancelledCleaning() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        do {
            let database = try Database.open(path: path, schema: Schema(of: .all))
            defer { database.close() }
            try await database.migrate()
            // One row in each page, which leaves a gap.
            let words = String(repeating: "w", count: 3_000)
            try await database.write { transaction in
                try transaction.run("CREATE TABLE filler (number BIGINT NOT NULL PRIMARY KEY, words TEXT)")
                for number in 0..<800 {
                    try transaction.run("INSERT INTO filler (number, words) VALUES (\(number), \(words))")
                }
            }
            try await database.truncateLogAfterReads()
        }
        // The copies are as another program leaves them. A step overwrites at most a few hundred.
        let planted = PlantedText()
        try #require(try planted.writeIntoGaps(ofFile: path) >= 800)
        let database = try Database.open(path: path, schema: Schema(of: .all))
        defer { database.close() }
        try await database.write { try $0.run("UPDATE cleaning SET next_page = 1") }

        await #expect(throws: CancellationError.self) {
            try await withCancelledTask { try await DatabaseCleaning(database: database).run() }
        }
        let next = try #require(try await database.read { try $0.cleaningState() }.nextPage)
        #expect(next > 1)
        #expect(planted.places(in: path)[""] ?? 0 > 0)

        try await DatabaseCleaning(database: database).run()
        #expect(try await database.read { try $0.cleaningState() }.nextPage == nil)
        #expect(planted.places(in: path)[""] == nil)
    }

    @Test("A file that is too large to be cleaned is reported, its cleaning stays due, and its log is truncated")
    func tooLarge() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                try transaction.recordCleaningDue(now: .now())
                try transaction.run("UPDATE cleaning SET next_page = 1")
            }
            let pages = try await database.read { try $0.pageCount() }
            let reported = Collector<Int64>()
            let small = DatabaseCleaning(database: database, maximumPages: pages) { reported.append($0) }
            while try await database.read({ try $0.cleaningState() }).logDueSince != nil { try await small.run() }
            #expect(Set(reported.elements) == [pages])
            #expect(try await database.read { try $0.cleaningState() }.nextPage == 1)
            try await DatabaseCleaning(database: database, maximumPages: pages + 1).run()
            #expect(try await database.read { try $0.cleaningState() }.nextPage == nil)
        }
    }
}
