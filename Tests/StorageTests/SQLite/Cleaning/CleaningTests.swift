import Foundation
import Model
import TestSupport
import Testing

@testable import Storage

@Suite("Deleted rows disappear from the files", .timeLimit(.minutes(5)))
struct CleaningTests {
    /// Creates two tables and an index with rows of two owners, whose pages are split, merged and filled again.
    private func fill(_ database: Database, with planted: PlantedText, rounds: Int = 6) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                CREATE TABLE clustered (id TEXT PRIMARY KEY, owner TEXT, words TEXT) \(Dialect.clusteredByPrimaryKey)
                """)
            try transaction.run("CREATE TABLE plain (id BIGINT NOT NULL PRIMARY KEY, owner TEXT, words TEXT)")
            try transaction.run("CREATE INDEX plain_by_words ON plain (words, owner)")
        }
        for round in 0..<rounds {
            try await database.write { transaction in
                for number in 0..<300 {
                    let owner = Bool.random() ? "gone" : "stays"
                    let one = owner == "gone" ? planted.text : "somebody else's words"
                    let words = String(repeating: one, count: [1, 2, 3, 9, 40, 250].randomElement() ?? 1)
                    let key = Int64.random(in: 0...(1 << 40))
                    try transaction.run(
                        "INSERT INTO clustered (id, owner, words) VALUES (\("\(key)\(one)"), \(owner), \(words))")
                    try transaction.run(
                        """
                        INSERT INTO plain (id, owner, words)
                        VALUES (\(Bool.random() ? key : Int64(round * 1_000 + number)), \(owner), \(words))
                        """)
                }
                try transaction.run("UPDATE plain SET words = words || owner WHERE id % 7 = \(round)")
            }
            try await database.checkpoint(truncates: round % 2 == 0)
        }
    }

    private func deleteGone(_ database: Database) async throws {
        for table in ["clustered", "plain"] {
            let delete = SQL(
                stringLiteral:
                    "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE owner = 'gone' LIMIT 50)")
            while try await database.write({ try $0.execute(delete) }) > 0 {}
        }
        try await database.write { try $0.recordCleaningDue(now: .now()) }
    }

    private func expectSound(_ database: Database) async throws {
        #expect(try await database.read { try $0.damages(limit: 3) } == [])
    }

    @Test(
        "Deleted rows disappear once the log is truncated, and the page cache does not write them again",
        arguments: 0..<4)
    func nothingStays(history: Int) async throws {
        try await withDatabase { database, _ in
            let planted = PlantedText()
            try await fill(database, with: planted)
            #expect(planted.places(in: database.path)[""] ?? 0 > 0)
            try await deleteGone(database)
            #expect(planted.places(in: database.path)["-wal"] ?? 0 > 0)

            try await database.truncateLogAfterReads()
            #expect(planted.places(in: database.path) == [:])
            #expect(try await database.read { try $0.cleaningState() }.logDueSince == nil)
            // Every page with rows is written again.
            try await database.write { transaction in
                try transaction.run("UPDATE plain SET owner = 'still'")
                try transaction.run("UPDATE clustered SET owner = 'still'")
            }
            #expect(planted.places(in: database.path) == [:])
            try await database.checkpoint(truncates: true)
            #expect(planted.places(in: database.path) == [:])
            try await expectSound(database)
        }
    }

    @Test("Deleted rows also disappear from the page cache of another process")
    func otherProcess() async throws {
        try await withDatabase { database, _ in
            let other = try Database.open(path: database.path, schema: .all)
            defer { other.close() }
            let planted = PlantedText()
            try await fill(other, with: planted)
            try await deleteGone(other)
            try await database.truncateLogAfterReads()
            try await other.write { transaction in
                try transaction.run("UPDATE plain SET owner = 'still'")
                try transaction.run("UPDATE clustered SET owner = 'still'")
            }
            #expect(planted.places(in: database.path) == [:])
        }
    }

    @Test("Deleted rows disappear once their last reader ends; the mark remains until then")
    func rowsOfTheLastReader() async throws {
        try await withDatabase { database, _ in
            let planted = PlantedText()
            try await fill(database, with: planted, rounds: 1)
            let (reading, gate) = (Collector<Void>(), Gate())
            let reader = Task {
                try await database.read { snapshot in
                    let count = try snapshot.rows("SELECT id FROM plain WHERE owner = 'gone'").count
                    reading.append(())
                    gate.wait()
                    return (count, try snapshot.rows("SELECT id FROM plain WHERE owner = 'gone'").count)
                }
            }
            await reading.wait(for: 1)
            try await deleteGone(database)
            let since = try await database.read { try $0.cleaningState() }.logDueSince
            #expect(since != nil)
            #expect(try await !database.truncateLog())
            // A later mark does not change the time of the first.
            try await database.write { try $0.recordCleaningDue(now: Timestamp.now().advanced(by: .seconds(60))) }
            #expect(try await database.read { try $0.cleaningState() }.logDueSince == since)
            gate.open()
            let seen = try await reader.value
            #expect(seen.0 == seen.1 && seen.0 > 0)
            try await database.truncateLogAfterReads()
            #expect(planted.places(in: database.path) == [:])
            #expect(try await database.read { try $0.cleaningState() }.logDueSince == nil)
        }
    }

    @Test("A file that another program wrote is cleaned once, although the process is killed repeatedly")
    func otherProgram() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        let planted = PlantedText()
        let count: Int
        do {
            let database = try Database.open(path: path, schema: .all)
            try await database.migrate()
            try await fill(database, with: PlantedText())
            // As an administrator asks for it.
            try await database.write { try $0.run("UPDATE cleaning SET next_page = 1") }
            repeat { try await database.checkpoint(truncates: true) } while database.logSize > 0
            database.close()
            count = try planted.writeIntoGaps(ofFile: path)
        }
        #expect(count > 50)
        #expect(planted.places(in: path)[""] == count)

        // Each process cleans a few more pages.
        var places: [Int64] = []
        for _ in 0..<3 {
            let probe = try ChildProcess(
                Executable.product("storage-probe"), ["clean", path, "4", "5"], hasInput: true)
            let lines = try await probe.waitForOutput(lines: 5)
            await probe.destroy()
            places.append(try #require(Int64(lines[4])))
        }
        #expect(places == places.sorted() && Set(places).count == 3, "\(places)")
        let left = planted.places(in: path)[""] ?? 0
        #expect(left > 0 && left < count)

        let database = try Database.open(path: path, schema: .all)
        defer { database.close() }
        // No page is cleaned twice.
        let noted = try #require(try await database.read { try $0.cleaningState() }.nextPage)
        #expect(noted >= places[2])
        var (next, cleaned): (Int64?, Int) = (noted, 0)
        while let first = next {
            let step = try #require(try await database.cleanPages(from: first, count: 16))
            (next, cleaned) = (step.next, cleaned + step.cleaned)
        }
        #expect(cleaned <= left)
        // The log contains pages as they were in the file.
        #expect(planted.places(in: path)[""] == nil)
        #expect(try await database.read { try $0.cleaningState() }.logDueSince != nil)
        try await database.truncateLogAfterReads()
        #expect(planted.places(in: path) == [:])
        try await database.write { try $0.run("UPDATE plain SET owner = 'still'") }
        #expect(planted.places(in: path) == [:])
        #expect(try await database.read { try $0.cleaningState() }.isDue == false)
        try await expectSound(database)
    }

    @Test("Cleaning works in steps that end after their time or their maximum of overwritten pages")
    func endsOfSteps() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        do {
            let database = try Database.open(path: path, schema: .all)
            try await database.migrate()
            try await fill(database, with: PlantedText(), rounds: 12)
            repeat { try await database.checkpoint(truncates: true) } while database.logSize > 0
            database.close()
        }
        let planted = try PlantedText().writeIntoGaps(ofFile: path)
        try #require(planted > 2 * Database.maximumCleaned)
        let database = try Database.open(path: path, schema: .all)
        defer { database.close() }
        // A step without time cleans the pages of one read.
        let short = try #require(try await database.cleanPages(from: 1, within: .zero))
        #expect(short.next == 65)
        // With enough time all pages are cleaned, and no step overwrites many more pages than its maximum.
        var (next, cleaned, steps): (Int64?, Int, Int) = (65, short.cleaned, 0)
        while let first = next {
            let step = try #require(try await database.cleanPages(from: first, within: .seconds(60)))
            #expect(step.cleaned < Database.maximumCleaned + 64)
            (next, cleaned, steps) = (step.next, cleaned + step.cleaned, steps + 1)
        }
        #expect(cleaned == planted)
        #expect(steps >= 2)
    }

    @Test("Readers see the same rows while their pages are cleaned")
    func readersMeanwhile() async throws {
        try await withDatabase { database, _ in
            try await fill(database, with: PlantedText())
            let before = try await database.read { try $0.rows("SELECT id, words FROM plain ORDER BY id").count }
            let cleaning = Task {
                // Each step waits for the disk, which other tests use as well.
                var next: Int64? = 1
                while let first = next { next = try await database.cleanPages(from: first, count: 16)?.next }
            }
            for _ in 0..<20 {
                let count = try await database.read { try $0.rows("SELECT id, words FROM plain ORDER BY id").count }
                #expect(count == before)
            }
            try await cleaning.value
            try await expectSound(database)
        }
    }

    @Test("A backup contains no copies of deleted rows")
    func backupHasNoCopies() async throws {
        try await withDatabase { database, folder in
            let planted = PlantedText()
            try await fill(database, with: planted)
            let copy = folder.file("copy.sqlite")
            _ = try await DatabaseBackup.write(database.path, to: copy, replaces: false, schema: .all)
            let other = try Database.open(path: copy, schema: .all)
            defer { other.close() }
            let cleaned = try await other.cleanPages(from: 1, within: .seconds(60))
            #expect(cleaned?.cleaned == 0 && cleaned?.next == nil)
        }
    }
}
