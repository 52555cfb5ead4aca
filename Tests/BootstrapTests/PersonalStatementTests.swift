import Composition
import Bootstrap
import Domains
import TestSupport
import Testing

@testable import Storage

@Suite("The statements of the registry of personal rows")
struct PersonalStatementTests {
    @Test("The registry's statements can be prepared, and match no row for an unknown user")
    func statementsPrepare() async throws {
        try await withDatabase { database, _ in
            let writes = SteppedWrites(database, checkpoints: true)
            #expect(try await PersonalTables(of: .all).eraseRows(of: "nobody", in: database, by: writes) == false)
            try await database.read { reader in
                #expect(try PersonalTables(of: .all).goneOwners(exempt: "", limit: 10, in: reader) == [])
                for table in PersonalTables(of: .all).all {
                    guard case .rows(_, let columns) = table.export else { continue }
                    let name = table.name.description
                    let texts = try reader.map(
                        .onlySQLite("SELECT name FROM pragma_table_info(\(name)) WHERE type = 'TEXT'")
                    ) { try $0["name"] as String }
                    let keys = table.keys.map { texts.contains($0.description) ? SQLValue.text("") : .integer(0) }
                    for position in [nil, PersonalTable.ExportPosition(keys: keys)] {
                        let end = try table.forEachExportedRow(
                            of: "nobody", columns, after: position, limit: 1, maximumBytes: 1, in: reader
                        ) { _ in Issue.record("a row of an unknown user") }
                        #expect(end == nil)
                    }
                }
            }
        }
    }

    @Test("Each batch is read from the end of the one before it, without sorting the rest")
    func batchesNeedNoSorting() async throws {
        try await withDatabase { database, _ in
            var count = 0
            for table in PersonalTables(of: .all).all {
                guard case .row(let key, let owner, _, _) = table.owner, case .rows(_, let columns) = table.export
                else { continue }
                count += 1
                let position = PersonalTable.ExportPosition(keys: table.keys.map { _ in .integer(1) })
                let query = table.exportQuery(of: "ada", columns, after: position, limit: 10)
                let plan = try await database.read { try $0.plan(of: query) }
                // Sorting the few rows of one job is allowed.
                #expect(!plan.contains { $0.contains("SCAN") || $0 == "USE TEMP B-TREE FOR ORDER BY" }, "\(plan)")
                if table.keys.map(\.description) == [key.description] {
                    // A person has at most one row.
                    #expect(
                        plan.first?.hasPrefix("SEARCH people USING COVERING INDEX people_by_user") == true, "\(plan)")
                } else if ["libraries", "listen_histories", "people"].contains(owner.description) {
                    // A person has only one library, one history and one key, and an index has their rows in this order.
                    #expect(plan.first?.hasSuffix("(user_id=?)") == true, "\(plan)")
                    // The steps after it look up the names of others.
                    #expect(plan.contains { $0.contains("(\(key)=? AND ") }, "\(plan)")
                } else {
                    #expect(plan.first?.hasSuffix("(user_id=? AND id>?)") == true, "\(plan)")
                }
            }
            #expect(count > 0)
        }
    }

    @Test("A person's rows are deleted through an index")
    func deletionsUseAnIndex() async throws {
        try await withDatabase { database, _ in
            for table in PersonalTables(of: .all).all {
                guard case .rows = table.erasure else { continue }
                let position = PersonalTable.ExportPosition(keys: table.keys.map { _ in .integer(1) })
                let plan = try await database.read { try $0.plan(of: table.deletion(of: position, ofUser: "ada")) }
                #expect(!plan.isEmpty && !plan.contains { $0.hasPrefix("SCAN") }, "\(table.name): \(plan)")
            }
        }
    }

    @Test("The owners of rows are found one by one through an index, however many rows they have")
    func ownersAreFoundByIndex() async throws {
        try await withDatabase { database, _ in
            for table in PersonalTables(of: .all).all {
                for (column, query) in zip(table.ownerColumns, table.owners) {
                    let plan = try await database.read { try $0.plan(of: query) }
                    #expect(
                        !plan.contains { $0.hasPrefix("SCAN \(table.name)") }, "\(table.name).\(column): \(plan)")
                }
            }
        }
    }
}
