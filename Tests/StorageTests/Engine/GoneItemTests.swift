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
}
