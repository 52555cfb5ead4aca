import Storage
import TestSupport
import Testing

@Suite("The change sequence")
struct ChangeSequenceTests {
    @Test("Numbers increase in commit order across two connections and are unique")
    func risesOverConnections() async throws {
        try await withDatabase { database, folder in
            let other = try Database.open(path: folder.file("test.sqlite"), schema: .all)
            defer { other.close() }
            try await database.write {
                try $0.run("CREATE TABLE log (at INTEGER PRIMARY KEY AUTOINCREMENT, change BIGINT)")
            }
            try await withThrowingTaskGroup { group in
                for writer in [database, other] {
                    group.addTask {
                        for _ in 0..<200 {
                            try await writer.write { transaction in
                                try transaction.run(
                                    "INSERT INTO log (change) VALUES (\(try transaction.nextChange()))")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let changes = try await database.read {
                try $0.rows("SELECT change FROM log ORDER BY at").map { try $0["change"] as Int64 }
            }
            #expect(changes == Array(1...400))
            #expect(try await other.read { try $0.lastChange() } == 400)
        }
    }

    @Test("Processes that write at once get different numbers", .timeLimit(.minutes(5)))
    func risesOverProcesses() async throws {
        try await withDatabase { _, folder in
            let probes = try (0..<3).map { _ in
                try ChildProcess(Executable.product("storage-probe"), ["changes", folder.file("test.sqlite"), "100"])
            }
            var all: [Int] = []
            for probe in probes {
                #expect(try await probe.waitForEnd() == .exited(0))
                let own = probe.output.lines.compactMap { Int($0) }
                #expect(own == own.sorted())
                all += own
            }
            #expect(all.sorted() == Array(1...300))
        }
    }

    @Test("An entry that is rolled back leaves a gap")
    func gapAfterARollback() async throws {
        try await withDatabase { database, _ in
            struct RefusalError: Error {}
            let first = try await database.write { try $0.nextChange() }
            await #expect(throws: RefusalError.self) {
                try await database.write { transaction in
                    _ = try transaction.nextChange()
                    throw RefusalError()
                }
            }
            #expect(try await database.write { try $0.nextChange() } > first)
        }
    }
}
