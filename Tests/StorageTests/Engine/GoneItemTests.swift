import Model
import TestSupport
import Testing

@testable import Storage

@Suite("Items that are gone")
struct GoneItemTests {
    private static let note = ItemKind("note")

    @Test("An item that goes again has one row, that of the last time, which programs of any position read")
    func again() async throws {
        try await withDatabase { database, _ in
            let first = try await database.write { transaction in
                try transaction.recordGone(Self.note, ids: ["a", "b"], userID: "ada")
                try transaction.recordGone(Self.note, ids: ["a"], userID: "bob")
                try transaction.recordGone(ItemKind("other"), ids: ["a"], userID: "ada")
                return try transaction.goneItems(userID: "ada", after: 0, limit: 10)
            }
            #expect(first.map(\.id) == ["a", "b", "a"])
            try await database.write { transaction in
                for _ in 0..<100 { try transaction.recordGone(Self.note, ids: ["a"], userID: "ada") }
            }
            try await database.read { reader in
                let now = try reader.goneItems(userID: "ada", after: 0, limit: 1_000)
                #expect(now.map(\.id) == ["b", "a", "a"] && now.map(\.kind.name) == ["note", "other", "note"])
                let last = try #require(first.last?.change)
                #expect(try reader.goneItems(userID: "ada", after: last, limit: 10).map(\.kind) == [Self.note])
                #expect(try reader.goneItems(userID: "bob", after: 0, limit: 10).map(\.id) == ["a"])
                let plan = try reader.plan(
                    of: """
                        SELECT 1 FROM gone_items
                        WHERE user_id = \("ada") AND kind = \("note") AND item = \("a") AND change < \(9)
                        """)
                let search = "gone_items_of_item (user_id=? AND kind=? AND item=? AND change<?)"
                #expect(plan.allSatisfy { $0.contains(search) }, "\(plan)")
            }
        }
    }

    @Test("Authors are forgotten who have not changed since what whoever is behind has to read again")
    func authors() async throws {
        try await withDatabase { database, _ in
            func authors() async throws -> Set<Int64> {
                try await database.read { try $0.authors(changedAfter: 0, limit: 100) }
            }
            let month = Timestamp.now().advanced(by: .seconds(-31 * 86_400))
            for author in [1, -2] as [Int64] { try await database.write { $0.recordChange(ofAuthor: author) } }
            try await database.write { try $0.recordGone(Self.note, ids: ["a"], userID: "ada", now: month) }
            for author in [-2, 3] as [Int64] { try await database.write { $0.recordChange(ofAuthor: author) } }
            #expect(try await database.write { try $0.pruneAuthors(limit: 10) } == 0)
            let cutoff = PruningTime.unguarded(.now().advanced(by: .zero - goneItemRetention))
            #expect(try await database.write { try $0.pruneGoneItems(before: cutoff, limit: 10) } == 1)
            #expect(try await database.write { try $0.pruneAuthors(limit: 10) } == 1)
            #expect(try await authors() == [-2, 3])
        }
    }
}
