import Bootstrap
import TestSupport
import Testing

@testable import Storage

@Suite("The statements of the registry of personal rows")
struct PersonalStatementTests {
    @Test("The registry's statements can be prepared, and match no row for an unknown user")
    func statements() async throws {
        try await withDatabase { database, _ in
            let writes = SteppedWrites(database, checkpoints: true)
            #expect(try await PersonalTables.all.eraseRows(of: "nobody", in: database, by: writes) == false)
            try await database.read { reader in
                #expect(try PersonalTables.all.goneOwners(exempt: "", limit: 10, in: reader) == [])
                for table in PersonalTables.all.all {
                    guard case .rows(_, let columns) = table.export else { continue }
                    let keys = table.keys.map { Self.isNumber("\($0)", of: table) ? SQLValue.integer(0) : .text("") }
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

    /// Whether a key is a number. Libraries have numbers for ids.
    private static func isNumber(_ key: String, of table: PersonalTable) -> Bool {
        let name = table.name.description
        return ["rank", "run", "added_at", "source", "version", "position"].contains(key)
            || name == "libraries" || name == "listens"
            || name.hasPrefix("listen_") && key != "service"
            || name.hasPrefix("library_") && name != "library_syncs"
                && [
                    "id", "playlist_id", "decision_id", "edit_id", "import_id", "copy_id", "number", "target",
                ].contains(key)
    }

    @Test("Each batch is read from the end of the one before it, without sorting the rest")
    func plans() async throws {
        try await withDatabase { database, _ in
            var tables: [String] = []
            for table in PersonalTables.all.all {
                guard case .row(let key, let owner, _, _) = table.owner, case .rows(_, let columns) = table.export
                else { continue }
                tables.append(table.name.description)
                let position = PersonalTable.ExportPosition(keys: table.keys.map { _ in .integer(1) })
                let query = table.exportQuery(of: "ada", columns, after: position, limit: 10)
                let plan = try await database.read {
                    try $0.rows(.onlySQLite("EXPLAIN QUERY PLAN " + query)).map { try $0["detail"] as String }
                }
                // Sorting the few rows of one job is allowed.
                #expect(!plan.contains { $0.contains("SCAN") || $0 == "USE TEMP B-TREE FOR ORDER BY" }, "\(plan)")
                if ["libraries", "listen_histories"].contains(owner.description) {
                    // A person has only one library and one history, and an index has their rows in this order.
                    #expect(plan.first?.hasSuffix("(user_id=?)") == true, "\(plan)")
                    #expect(plan.last?.contains("(\(key)=? AND ") == true, "\(plan)")
                } else {
                    #expect(plan.first?.hasSuffix("(user_id=? AND id>?)") == true, "\(plan)")
                }
            }
            #expect(
                tables == [
                    "concert_search_subjects", "library_accounts", "library_tracks", "library_source_tracks",
                    "library_playlist_entries", "library_albums", "library_changes", "library_decisions",
                    "library_decision_tracks", "library_edit_steps", "listens", "listen_observations",
                    "listen_songs", "listen_details", "listen_clients", "listen_contacts", "listen_gaps",
                    "listen_latest_imports", "listen_feedback", "job_attempts",
                ])
        }
    }

    @Test("A person's rows are deleted through an index")
    func deletions() async throws {
        try await withDatabase { database, _ in
            for table in PersonalTables.all.all {
                guard case .rows = table.erasure else { continue }
                let position = PersonalTable.ExportPosition(keys: table.keys.map { _ in .integer(1) })
                let plan = try await database.read {
                    try $0.rows(.onlySQLite("EXPLAIN QUERY PLAN " + table.deletion(of: position, ofUser: "ada")))
                        .map { try $0["detail"] as String }
                }
                #expect(!plan.isEmpty && !plan.contains { $0.hasPrefix("SCAN") }, "\(table.name): \(plan)")
            }
        }
    }

    @Test("The owners of rows are found one by one through an index, however many rows they have")
    func owners() async throws {
        try await withDatabase { database, _ in
            for table in PersonalTables.all.all {
                for (column, query) in zip(table.ownerColumns, table.owners) {
                    let plan = try await database.read {
                        try $0.rows(.onlySQLite("EXPLAIN QUERY PLAN " + query)).map { try $0["detail"] as String }
                    }
                    #expect(
                        !plan.contains { $0.hasPrefix("SCAN \(table.name)") }, "\(table.name).\(column): \(plan)")
                }
            }
        }
    }
}
