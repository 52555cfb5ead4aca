import TestSupport
import Testing

@testable import Storage

@Suite("Dialects")
struct DialectTests {
    @Test("Placeholders are numbered, and question marks within quotes stay")
    func numberedPlaceholders() {
        let sql: SQL = "SELECT '?', 'it''s ?' AS \"what?\" FROM jobs WHERE id = \("a") AND run = \(1) AND kind <> '?'"
        #expect(
            sql.text(for: .postgreSQL)
                == "SELECT '?', 'it''s ?' AS \"what?\" FROM jobs WHERE id = $1 AND run = $2 AND kind <> '?'")
        #expect(sql.text(for: .sqlite) == sql.text)
    }

    @Test("A fragment has a text for each dialect, wherever it is in a statement")
    func fragmentsOfDialects() {
        let part = SQL(sqlite: "+a = \(1)", postgreSQL: "a = \(1)")
        let within: SQL = "SELECT \(2) WHERE \(part) AND b = \(3)"
        #expect(within.text(for: .sqlite) == "SELECT ? WHERE +a = ? AND b = ?")
        #expect(within.text(for: .postgreSQL) == "SELECT $1 WHERE a = $2 AND b = $3")
        #expect(within.values == [.integer(2), .integer(1), .integer(3)])
        let sums: [SQL] = [
            "SELECT \(2) WHERE " + part + " AND b = \(3)",
            ("SELECT \(2) WHERE \(part)" as SQL) + " AND b = \(3)",
        ]
        for sum in sums {
            #expect(sum.text == within.text && sum.values == within.values)
            #expect(sum.text(for: .postgreSQL) == within.text(for: .postgreSQL))
        }
    }

    @Test("Statements about SQLite's file do not exist for PostgreSQL")
    func onlySQLite() {
        let sql = SQL.onlySQLite("VACUUM INTO \("copy")")
        #expect(sql.text(for: .sqlite) == "VACUUM INTO ?" && sql.text(for: .postgreSQL) == nil)
    }

    @Test("Migrations for PostgreSQL contain nothing specific to SQLite, and bind no values")
    func migrationsForPostgreSQL() {
        let statements = Schema.all.statements(for: .postgreSQL)
        #expect(statements.count == Schema.all.statements(for: .sqlite).count)
        for word in ["ROWID", "BLOB", "$1"] {
            #expect(statements.filter { $0.contains(word) } == [])
        }
    }

    @Test("A released migration never changes")
    func releasedMigrations() throws {
        // FNV-1a of the statements for SQLite, joined by a line with a semicolon, of each domain's migrations in the
        // order of their numbers; the baselines of 0.2.0.
        let released: [String: [UInt64]] = [
            "storage": [0x532e_cff2_09e9_ebf1], "accounts": [0xda45_4598_8737_8a54], "jobs": [0x2f20_bbb1_a3b3_7b55],
            "permits": [0x4aea_816c_f9db_67de], "vault": [0x5354_cb38_b17c_688b],
            "connections": [0x08af_2092_3612_fca7], "catalog": [0x9b7c_40ff_12ce_2db3],
            "previews": [0xccb5_41b8_58f4_1e4b], "concerts": [0xb1a3_bf30_d7d5_3509],
            "library": [0x1bab_0e8e_56c2_b719], "listening": [0x1214_ac16_e2a3_58c7],
            "curation": [0xe39c_0791_737e_3201],
        ]
        for (domain, hashes) in released {
            for (index, hash) in hashes.enumerated() {
                let migration = try #require(
                    Schema.all.migrations.first { $0.domain == domain && $0.number == index + 1 })
                let text = migration.statements.map(\.text).joined(separator: "\n;\n")
                let found = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
                #expect(found == hash, "\(migration)")
            }
        }
    }
}
