import TestSupport
import Testing

@testable import Storage

@Suite("The migration to model calls")
struct ModelCallMigrationTests {
    @Test("A blend of an earlier release names its other person, by the name in its request")
    func partners() async throws {
        let names = ["ada", "bob", #"o"neil"#, #"back\slash"#, "Zoë", "with"]
        let requests: [(request: String, partner: String?)] = [
            (#"{"with":"bob","prompt":"\"with\":\"ada\""}"#, "bob"), (#"{"prompt":"x","with":"o\"neil"}"#, #"o"neil"#),
            (#"{"with":"back\\slash"}"#, #"back\slash"#), (#"{"with":"Zo\u00eb"}"#, "Zoë"),
            (#"{"with":"gone"}"#, nil), (#"{"prompt":"with"}"#, nil), (#"{"with":null}"#, nil), ("damaged", nil),
        ]
        try await withDatabase(before: .modelCalls) { database, _ in
            try await database.write { transaction in
                for name in names {
                    try transaction.run(
                        """
                        INSERT INTO users (id, name, name_key, created_at)
                        VALUES (\("id of " + name), \(name), \(name), 0)
                        """)
                }
                for kind in ["blend", "playlist"] {
                    for (number, blend) in requests.enumerated() {
                        try transaction.run(
                            """
                            INSERT INTO curated_lists (user_id, id, kind, request, state, is_scheduled, title,
                                total_tokens, calls, created_at, change)
                            VALUES ('ada', \(kind + String(number)), \(kind), \(blend.request), 'complete', 0, 'x', 0,
                                1, 1, 1)
                            """)
                    }
                }
            }
            try await database.migrate()
            let found = try await database.read { reader in
                try reader.map("SELECT partner_id FROM curated_lists ORDER BY id") { try $0["partner_id"] as String? }
            }
            let ofBlends: [String?] = requests.map { blend in blend.partner.map { "id of " + $0 } }
            let ofOthers = [String?](repeating: nil, count: requests.count)
            #expect(found == ofBlends + ofOthers)
        }
    }

    @Test("The people of blends are looked up by their names")
    func plan() async throws {
        try await withDatabase(before: .modelCalls) { database, _ in
            let name = Dialect.member("with", of: "curated_lists.request")
            let update: SQL =
                "UPDATE curated_lists SET job_id = (SELECT users.id FROM users WHERE users.name = \(name))"
            let plan = try await database.write {
                try $0.rows(.onlySQLite("EXPLAIN QUERY PLAN " + update)).map { try $0["detail"] as String }
            }
            #expect(plan.contains { $0.contains("users_by_name (name=?)") }, "\(plan)")
        }
    }
}
