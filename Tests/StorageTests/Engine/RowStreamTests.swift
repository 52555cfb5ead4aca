import Storage
import TestSupport
import Testing

@Suite("Reading row by row")
struct RowStreamTests {
    private struct Stop: Error {}

    /// An endless sequence of numbers: reading all of them never ends.
    private static let numbers = SQL(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT n FROM numbers")

    @Test("reads no more rows than requested")
    func readsOnlyRequestedRows() async throws {
        try await withDatabase { database, _ in
            let seen = try await database.read { reader in
                var seen: [Int] = []
                try reader.forEachRow(Self.numbers) { row in
                    seen.append(try row["n"])
                    return seen.count == 10 ? .stop : .continue
                }
                return seen
            }
            #expect(seen == Array(1...10))
        }
    }

    @Test("continues where it was when the same statement runs inside the loop, in reads and writes")
    func nestedStatements() async throws {
        try await withDatabase { database, _ in
            @Sendable func pairs(in reader: some SQLReader & SendableMetatype) throws -> [[Int]] {
                func few(_ limit: Int) -> SQL {
                    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT \(limit)"
                }
                var pairs: [[Int]] = []
                try reader.forEachRow(few(3)) { outer in
                    try reader.forEachRow(few(2)) { inner in
                        pairs.append([try outer["i"], try inner["i"]])
                        return .continue
                    }
                    pairs.append([try outer["i"], try reader.rows(few(5)).count])
                    return .continue
                }
                return pairs
            }
            let expected = (1...3).flatMap { [[$0, 1], [$0, 2], [$0, 5]] }
            let read = try await database.read { try pairs(in: $0) }
            let written = try await database.write { try pairs(in: $0) }
            // The cached statement still works.
            let again = try await database.read { try pairs(in: $0) }
            #expect(read == expected && written == expected && again == expected)
        }
    }

    @Test("leaves nothing open when its body throws")
    func throwingBody() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                try transaction.run("CREATE TABLE numbers (n BIGINT NOT NULL)")
                for n in 0..<5 { try transaction.run("INSERT INTO numbers VALUES (\(n))") }
            }
            await #expect(throws: Stop.self) {
                try await database.write { transaction in
                    try transaction.forEachRow("SELECT n FROM numbers ORDER BY n") { row in
                        if try row["n"] == 2 { throw Stop() }
                        try transaction.run("UPDATE numbers SET n = n + 100 WHERE n = \(try row["n"] as Int)")
                        return .continue
                    }
                }
            }
            let values = try await database.read { reader in
                try reader.map("SELECT n FROM numbers ORDER BY n") { try $0["n"] as Int }
            }
            #expect(values == [0, 1, 2, 3, 4])
        }
    }
}
