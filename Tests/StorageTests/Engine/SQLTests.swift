import Model
import Storage
import TestSupport
import Testing

/// A type of the application that a column stores as text.
private enum Phase: String, SQLConvertible {
    case failed
}

@Suite("SQL by interpolation")
struct SQLTests {
    @Test("A value becomes a placeholder and a binding, never part of the text")
    func bindsValues() {
        let hostile = "x'; DROP TABLE jobs; --"
        let sql: SQL = "SELECT * FROM jobs WHERE id = \(hostile) AND run = \(7) AND worker = \(nil as String?)"
        #expect(sql.text == "SELECT * FROM jobs WHERE id = ? AND run = ? AND worker = ?")
        #expect(sql.values == [.text(hostile), .integer(7), .null])
    }

    @Test("Fragments keep their own bindings in order, and trusted text has none")
    func composedFragments() {
        let condition: SQL = "state = \("queued")"
        let sql: SQL = "SELECT \(trusted: "id") FROM jobs WHERE run > \(1) AND \(condition) AND attempt < \(3)"
        #expect(sql.text == "SELECT id FROM jobs WHERE run > ? AND state = ? AND attempt < ?")
        #expect(sql.values == [.integer(1), .text("queued"), .integer(3)])
        let sum = sql + " LIMIT \(5)"
        #expect(sum.text.hasSuffix(" LIMIT ?"))
        #expect(sum.values.last == .integer(5))
    }

    @Test("A list matches its own elements and no others, in IN and in NOT IN", arguments: 0...9)
    func boundLists(count: Int) async throws {
        try await withDatabase { database, _ in
            let wanted = Array(0..<count)
            let numbers: SQL = "WITH numbers (n) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) "
            let inside = try await database.read {
                try $0.rows(numbers + "SELECT n FROM numbers WHERE n IN (\(list: wanted)) ORDER BY n")
                    .map { try $0["n"] as Int }
            }
            #expect(inside == wanted)
            guard count > 0 else { return }
            let outside = try await database.read {
                try $0.rows(numbers + "SELECT n FROM numbers WHERE n NOT IN (\(list: wanted)) ORDER BY n")
                    .map { try $0["n"] as Int }
            }
            #expect(outside == Array(count..<10))
        }
    }

    @Test("Lists of many lengths share few cached statements")
    func listsShareStatements() {
        let texts = Set((1...1_000).map { count in ("IN (\(list: 1...count))" as SQL).text })
        #expect(texts.count == 11)
    }

    @Test("Any text is read as it was bound")
    func hostileTextsRoundTrip() async throws {
        try await withDatabase { database, _ in
            var random = SeededRandom(seed: 4)
            var texts = ["", "'", "\"; --", "?", "\\", "%_", "日本語 🎵"]
            texts += (0..<50).map { _ in random.text(upTo: 40).replacing("\0", with: "") }
            for text in texts {
                let found = try await database.read { try $0.row("SELECT \(text) AS value")?["value"] as String? }
                #expect(found == text)
            }
        }
    }
}

@Suite("Rows")
struct RowTests {
    private func row(_ sql: SQL) async throws -> Row {
        try await withDatabase { database, _ in
            try #require(try await database.read { try $0.row(sql) })
        }
    }

    @Test("Each supported type is read from its column")
    func decodedColumns() async throws {
        let row = try await row(
            """
            SELECT \("text") AS t, \(Int64.max) AS i, \(1.5) AS d, \(true) AS b, \([1, 2, 255] as [UInt8]) AS bytes,
                \(Timestamp(microseconds: -5)) AS at, \(MonotonicInstant(microseconds: 9)) AS instant,
                \(Phase.failed) AS state, \(nil as Int?) AS empty, 3 AS whole
            """)
        #expect(try row["t"] == "text")
        #expect(try row["i"] == Int64.max)
        #expect(try row["d"] == 1.5)
        #expect(try row["b"] == true)
        #expect(try row["bytes"] == [1, 2, 255] as [UInt8])
        #expect(try row["at"] == Timestamp(microseconds: -5))
        #expect(try row["instant"] == MonotonicInstant(microseconds: 9))
        #expect(try row["state"] == Phase.failed)
        #expect(try row["empty"] as Int? == nil)
        #expect(try row["whole"] as Double == 3)
    }

    @Test("Errors name a wrong type, a null, an unknown raw value and a missing column, and no value")
    func decodingErrors() async throws {
        let row = try await row("SELECT 'abc' AS t, NULL AS empty, 'sleeping' AS state")
        #expect(throws: StorageError.column(name: "t", found: "text", wanted: "Int")) {
            let _: Int = try row["t"]
        }
        #expect(throws: StorageError.column(name: "empty", found: "null", wanted: "String")) {
            let _: String = try row["empty"]
        }
        #expect(throws: StorageError.column(name: "state", found: "text", wanted: "Phase")) {
            let _: Phase = try row["state"]
        }
        #expect(throws: StorageError.column(name: "other", found: "no such column", wanted: "Int")) {
            let _: Int = try row["other"]
        }
        #expect(throws: StorageError.column(name: "t", found: "text", wanted: "Optional<Int>")) {
            let _: Int? = try row["t"]
        }
    }
}
