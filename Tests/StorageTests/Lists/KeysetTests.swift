import Model
import Storage
import TestSupport
import Testing

@Suite("Cursors of lists")
struct KeysetTests {
    private static let shows = Keyset<Int, Int, Int, String>("shows", by: "rank", "day", "second", "id")
    private static let jobs = Keyset<RowID>("jobs", by: "id", descending: true)
    private static let id = "0190e9a0-0000-7000-8000-00000000000a"

    @Test(
        "A cursor reads the values that it was written with",
        arguments: ["", "G5vYZb2dnoqR", "a.b.c", "~", "*", "*41", "%", "é 🎵", "a+b&c#d/e?f", "\u{0}", "x"])
    func roundTripOfValues(text: String) throws {
        for numbers in [(1, 2, 3), (.max, .max, .max), (-5, .min, 0)] {
            let cursor = Self.shows.text(of: numbers.0, numbers.1, numbers.2, text)
            let values = try #require(Self.shows.cursor(cursor)).values
            let isSame = values == (numbers.0, numbers.1, numbers.2, text)
            #expect(isSame)
            let allowed = cursor.utf8.allSatisfy { byte in
                let character = Character(Unicode.Scalar(byte))
                return character.isLetter || character.isNumber || "-_.~*".contains(character)
            }
            #expect(allowed, "\(cursor)")
        }
    }

    @Test("A cursor of another list is refused, even with the same column types")
    func otherLists() {
        let other = Keyset<RowID>("searches", by: "id", descending: true)
        let cursor = Self.jobs.text(of: RowID(Self.id))
        #expect(Self.jobs.cursor(cursor)?.values.text == Self.id)
        #expect(other.cursor(cursor) == nil)
        #expect(Self.shows.cursor(cursor) == nil)
        let fewer = Keyset<Int, Int, Int>("shows", by: "rank", "day", "second")
        #expect(fewer.cursor(Self.shows.text(of: 1, 2, 3, "a")) == nil)
        let ofText = Keyset<String>("jobs", by: "id")
        #expect(Self.jobs.cursor(ofText.text(of: "no id")) == nil, "a right check, and a value of a wrong type")
    }

    @Test(
        "A cursor without a valid checksum is refused",
        arguments: [
            "", "~", "x", "0190e9a0-0000-7000-8000-00000000000a", "0190e9a0-0000-7000-8000-00000000000a~",
            "0190e9a0-0000-7000-8000-00000000000a~00000000", "1.x.x.a", "1.2.3.a~1a2b3c4d",
        ])
    func handMade(text: String) {
        #expect(Self.jobs.cursor(text) == nil && Self.shows.cursor(text) == nil)
    }

    @Test("A damaged cursor is refused or yields its original values", arguments: Fuzzing.seeds())
    func damagedCursors(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let numbers = (0..<3).map { _ in
                [0, -1, .max, .min, Int(truncatingIfNeeded: random.next())].randomElement(using: &random) ?? 0
            }
            let text = Self.shows.text(of: numbers[0], numbers[1], numbers[2], random.text(upTo: 20))
            let damaged = String(decoding: random.damaged(Array(text.utf8)), as: UTF8.self)
            guard let values = Self.shows.cursor(damaged)?.values else { continue }
            #expect(Self.shows.text(of: values.0, values.1, values.2, values.3) == damaged)
        }
    }

    @Test("Cursors read each row once in either order, even if only the last column differs")
    func rowsByCursors() async throws {
        try await withDatabase { database, _ in
            let rows = (0..<23).map { (day: $0 / 5, name: "n\($0 * 7 % 23)") }
            try await database.write { transaction in
                try transaction.run("CREATE TABLE entries (day BIGINT NOT NULL, name TEXT NOT NULL)")
                for row in rows { try transaction.run("INSERT INTO entries VALUES (\(row.day), \(row.name))") }
            }
            for descending in [false, true] {
                let list = Keyset<Int, String>("entries", by: "day", "name", descending: descending)
                let rising = rows.sorted { ($0.day, $0.name) < ($1.day, $1.name) }.map(\.name)
                for limit in [1, 4, 23, 24] {
                    var (seen, cursor): ([String], Cursor<Int, String>?) = ([], nil)
                    repeat {
                        let position = cursor
                        let page = try await database.read { reader in
                            try reader.map(
                                """
                                SELECT day, name FROM entries WHERE day >= 0\(list.following(position))
                                ORDER BY \(list.order) LIMIT \(limit)
                                """
                            ) { (day: try $0["day"] as Int, name: try $0["name"] as String) }
                        }
                        seen += page.map(\.name)
                        let text = page.last.map { list.text(of: $0.day, $0.name) }
                        cursor = try text.map { try #require(list.cursor($0)) }
                    } while cursor != nil
                    #expect(seen == (descending ? rising.reversed() : rising), "\(limit) a page, \(descending)")
                }
            }
        }
    }
}
