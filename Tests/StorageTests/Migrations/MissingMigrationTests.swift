import Testing

@testable import Storage

@Suite("Which migrations a database lacks")
struct MissingMigrationTests {
    private static let known = [("notes", 1), ("songs", 1), ("notes", 2), ("songs", 2)].map { domain, number in
        Migration(domain: domain, number: number, name: "step \(number)", statements: [])
    }

    private func missing(_ applied: [MigrationRecord]) throws(StorageError) -> [String] {
        try Migration.missing(in: Set(applied), of: Self.known).map(\.description)
    }

    private func record(_ domain: String, _ number: Int, _ name: String? = nil) -> MigrationRecord {
        MigrationRecord(domain: domain, number: number, name: name ?? "step \(number)")
    }

    @Test("An older database lacks the later ones, in their order, also if one domain is further than another")
    func olderDatabase() throws {
        let all = ["notes 1 (step 1)", "songs 1 (step 1)", "notes 2 (step 2)", "songs 2 (step 2)"]
        for count in 0...4 {
            #expect(try missing(Self.known.prefix(count).map(\.record)) == Array(all.dropFirst(count)))
        }
        #expect(try missing([record("notes", 1), record("notes", 2)]) == [all[1], all[3]])
    }

    @Test("A database with all of them and others is of a later version")
    func newerDatabase() {
        let known = Self.known.map(\.record)
        for other in [record("notes", 3), record("people", 1)] {
            #expect(throws: StorageError.schemaTooNew(found: 5, known: 4)) { try missing(known + [other]) }
        }
    }

    @Test("A database with a gap, or with others instead of them, is of no version")
    func inconsistentDatabase() {
        #expect(throws: StorageError.schemaInconsistent(has: "notes 2 (step 2)", lacks: "notes 1 (step 1)")) {
            try missing([record("songs", 1), record("notes", 2)])
        }
        #expect(throws: StorageError.schemaInconsistent(has: "people 1 (step 1)", lacks: "songs 1 (step 1)")) {
            try missing([record("notes", 1), record("people", 1)])
        }
        #expect(throws: StorageError.schemaInconsistent(has: "notes 1 (other)", lacks: "notes 1 (step 1)")) {
            try missing([record("notes", 1, "other")])
        }
    }
}
