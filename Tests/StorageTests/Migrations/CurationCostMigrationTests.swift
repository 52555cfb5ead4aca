import TestSupport
import Testing

@testable import Storage

@Suite("The migration to costs of lists")
struct CurationCostMigrationTests {
    @Test("What earlier lists used is not split into parts, unless it is nothing, and has no cost")
    func earlier() async throws {
        try await withDatabase(before: .curationCosts) { database, _ in
            try await database.write { transaction in
                for (id, tokens) in [("made", 900), ("ruled", 0)] {
                    try transaction.run(
                        """
                        INSERT INTO curated_lists (user_id, id, kind, request, state, is_scheduled, title,
                            total_tokens, calls, created_at, change)
                        VALUES ('ada', \(id), 'playlist', '{}', 'complete', 0, 'x', \(tokens), 1, 1, 1)
                        """)
                }
            }
            try await database.migrate()
            let found: [[String?]] = try await database.read { reader in
                try reader.map(
                    """
                    SELECT id, input_tokens, output_tokens, cost_amount, cost_currency FROM curated_lists ORDER BY id
                    """
                ) { row in
                    let (input, output): (Int?, Int?) = (try row["input_tokens"], try row["output_tokens"])
                    return [
                        try row["id"], input.map(String.init), output.map(String.init), try row["cost_amount"],
                        try row["cost_currency"],
                    ]
                }
            }
            #expect(found == [["made", nil, nil, nil, nil], ["ruled", "0", "0", nil, nil]])
        }
    }
}
