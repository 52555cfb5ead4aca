import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("The statement log")
struct StatementLogTests {
    private struct Entry: Decodable, Hashable {
        var sql: String
        var types: [String]
    }

    private func entries(in folder: TemporaryFolder) throws -> [Entry] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 1)
        return try names.flatMap { name in
            try String(contentsOfFile: folder.file(name), encoding: .utf8).split(separator: "\n").map {
                try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
            }
        }
    }

    @Test("It contains each statement once for each of up to 16 type lists, with PostgreSQL's placeholders")
    func writesOnce() throws {
        let folder = try TemporaryFolder()
        let log = try #require(StatementLog(folder: folder.path))
        let all: [SQLValue] = [.null, .integer(1), .real(1.5), .text("a"), .blob([1])]
        for _ in 0..<3 {
            for value in all { log.record("SELECT ?, '?'", [value]) }
        }
        log.record("", [])
        for count in 0..<40 { log.record("IN", Array(repeating: .integer(1), count: count)) }

        let found = try entries(in: folder)
        let types = ["unknown", "bigint", "double precision", "text", "bytea"]
        #expect(found.prefix(5) == types.map { Entry(sql: "SELECT $1, '?'", types: [$0]) }[...])
        #expect(found.dropFirst(5).map(\.types.count) == Array(0..<StatementLog.maximumTypeLists))
    }

    @Test("Many threads write whole lines, each once", .timeLimit(.minutes(5)))
    func writesTogether() async throws {
        let folder = try TemporaryFolder()
        let log = try #require(StatementLog(folder: folder.path))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<200 { log.record("SELECT \(number)", []) }
                }
            }
        }
        let found = try entries(in: folder)
        #expect(found.count == 200 && Set(found).count == 200)
    }

    @Test("Without a folder there is no log")
    func needsFolder() throws {
        #expect(StatementLog(folder: "/nonexistent/folder") == nil)
    }
}
