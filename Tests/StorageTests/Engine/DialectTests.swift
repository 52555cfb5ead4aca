import TestSupport
import Testing

@testable import Storage

@Suite("Dialects")
struct DialectTests {
    @Test("Placeholders are numbered, and question marks within quotes stay")
    func placeholders() {
        let sql: SQL = "SELECT '?', 'it''s ?' AS \"what?\" FROM jobs WHERE id = \("a") AND run = \(1) AND kind <> '?'"
        #expect(
            sql.text(for: .postgreSQL)
                == "SELECT '?', 'it''s ?' AS \"what?\" FROM jobs WHERE id = $1 AND run = $2 AND kind <> '?'")
        #expect(sql.text(for: .sqlite) == sql.text)
    }

    @Test("A fragment has a text for each dialect, wherever it is in a statement")
    func fragments() {
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
    func migrations() {
        let statements = Migration.statements(for: .postgreSQL)
        #expect(statements.count == Migration.statements(for: .sqlite).count)
        for word in ["ROWID", "BLOB", "printf", "randomblob", "$1"] {
            #expect(statements.filter { $0.contains(word) } == [])
        }
    }

    @Test("A released migration never changes")
    func releasedMigrations() {
        // FNV-1a of the statements for SQLite, joined by a line with a semicolon.
        let released: [UInt64] = [
            0x227b_f126_c0d1_79e3, 0xeae1_57e3_be2c_aac2, 0xc205_63e7_6f74_81f8,
            0x88b8_650b_a09c_83c9, 0x4ffd_5687_efb3_016c, 0x2dfb_e02f_f0ce_bcd5,
            0x434f_60e0_d640_c9f1, 0x2e48_b9ee_7e7e_5ced, 0xdfef_8c25_b96d_a688,
        ]
        for (migration, hash) in zip(Migration.all, released) {
            let text = migration.statements.map(\.text).joined(separator: "\n;\n")
            let found = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            #expect(found == hash, "step \(migration.number), \(migration.name)")
        }
    }
}
