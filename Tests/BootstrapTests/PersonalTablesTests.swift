import Composition
import Bootstrap
import Domains
import TestSupport
import Testing

@testable import Storage

@Suite("The registry of tables with personal rows")
struct PersonalTablesTests {
    /// Parts of the names of columns that refer to a person: `user_id`, `google_subject`, `owner` …
    private static let personalWords: Set<String> = [
        "user", "users", "owner", "person", "people", "member", "author", "sender", "recipient", "friend", "follower",
        "followed", "invitee", "guest", "subject", "email", "username", "account", "profile",
    ]

    /// Columns with such a name that do not refer to a person, and their content.
    private static let impersonal: [String: String] = [
        "concert_subjects.subject_key": "an artist or an area, the same for everybody",
        "concert_subject_events.subject_key": "an artist or an area, the same for everybody",
        "author_log.author": "a number that outlives its person, and names nobody without a row of people",
        "timeline_gone_items.author": "a number that outlives its person, and names nobody without a row of people",
        "author_log.profile_change": "the number of a change",
        "permit_waiting.person": "a pseudonym, for as long as a call waits",
        "permit_turns.person": "a pseudonym, for some minutes after a call was made",
        "concert_topics.subject_key": "an artist or an area, the same for everybody",
        "concert_refreshes.subject_key": "an artist or an area, the same for everybody",
        "concert_subjects.job_id": "a lookup, done for everybody",
        "release_artists.job_id": "the job that reads the artist for everybody",
        "release_lists.artist_id": "the id of an artist at a service",
        "notification_announcements.subject": "what news of a topic are about, the same for all of its readers",
    ]

    /// Names of columns with the key of a row in a registered table: `job_id`, `search_id` …
    private static let keysOfRows: Set<String> = Set(
        PersonalTables(of: .all).all.flatMap { table -> [String] in
            let noun = singular(String(table.name.description.split(separator: "_").last ?? ""))
            let byName = table.keys.map { "\(noun)_\($0)" }
            guard case .row(let column, _, _, _) = table.owner else { return byName }
            return byName + [column.description]
        })

    private static func singular(_ plural: String) -> String {
        if plural.hasSuffix("ies") { return plural.dropLast(3) + "y" }
        if ["ches", "shes", "sses", "xes"].contains(where: plural.hasSuffix) { return String(plural.dropLast(2)) }
        return plural.hasSuffix("s") ? String(plural.dropLast()) : plural
    }

    /// Tables with columns that, by their name or reference, can refer to a person or to a person's row, and those
    /// columns.
    private static func found(in reader: some SQLReader) throws -> [String: Set<String>] {
        let columns = try reader.map(
            .onlySQLite(
                """
                SELECT sqlite_master.name AS table_name, columns.name AS column_name
                FROM sqlite_master JOIN pragma_table_info(sqlite_master.name) AS columns
                WHERE sqlite_master.type = 'table'
                """)
        ) { row in (table: try row["table_name"] as String, column: try row["column_name"] as String) }
        var found: [String: Set<String>] = [:]
        for (table, column) in columns {
            let words = column.split(separator: "_").map(String.init)
            guard !personalWords.isDisjoint(with: words) || keysOfRows.contains(column),
                impersonal["\(table).\(column)"] == nil
            else { continue }
            found[table, default: []].insert(column)
        }
        for reference in try references(in: reader) { found[reference.table, default: []].insert(reference.column) }
        return found
    }

    /// The tables that reference people.
    private static func references(
        in reader: some SQLReader
    ) throws -> [(table: String, column: String, onDelete: String)] {
        try reader.map(
            .onlySQLite(
                """
                SELECT sqlite_master.name AS table_name, keys."from" AS column_name, keys.on_delete AS on_delete
                FROM sqlite_master JOIN pragma_foreign_key_list(sqlite_master.name) AS keys
                WHERE sqlite_master.type = 'table' AND keys."table" = 'users'
                """)
        ) { row in (try row["table_name"], try row["column_name"], try row["on_delete"]) }
    }

    private static func unregistered(in reader: some SQLReader) throws -> Set<String> {
        Set(try found(in: reader).keys).subtracting(PersonalTables(of: .all).all.map(\.name.description))
    }

    @Test("The registry has every table with a column for users")
    func registryIsComplete() async throws {
        try await withDatabase { database, _ in
            let missing = try await database.read { try Self.unregistered(in: $0) }
            #expect(missing == [])
        }
    }

    @Test("A table that is not in the registry is found, whatever its column is called")
    func unregisteredTables() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                try transaction.run("CREATE TABLE followers (follower_id TEXT NOT NULL, since BIGINT NOT NULL)")
                try transaction.run("CREATE TABLE plays (listened_by TEXT NOT NULL REFERENCES users (id))")
                try transaction.run("CREATE TABLE steps (job_id TEXT NOT NULL, step BIGINT NOT NULL)")
                try transaction.run("CREATE TABLE remarks (search_id TEXT NOT NULL, text TEXT NOT NULL)")
                try transaction.run("CREATE TABLE songs (id TEXT NOT NULL, title TEXT NOT NULL)")
            }
            let missing = try await database.read { try Self.unregistered(in: $0) }
            #expect(missing == ["followers", "plays", "steps", "remarks"])
        }
    }

    @Test("The registry names existing tables and columns, each with the owner's column")
    func registryMatchesTheSchema() async throws {
        try await withDatabase { database, _ in
            try await database.read { reader in
                for table in PersonalTables(of: .all).all {
                    let name = table.name.description
                    let columns = Set(
                        try reader.map(.onlySQLite("SELECT name FROM pragma_table_info(\(name))")) {
                            try $0["name"] as String
                        })
                    var named = Set(table.keys.map(\.description))
                    if case .rows(_, let exported) = table.export { named.formUnion(exported.map(\.name.description)) }
                    switch table.owner {
                    case .person(let column), .column(let column), .row(let column, _, _, _):
                        named.insert(column.description)
                    }
                    named.formUnion(table.mentions.map(\.description))
                    #expect(named.isSubset(of: columns), "\(name): \(named.subtracting(columns))")
                    if case .row(_, let other, _, _) = table.owner {
                        #expect(
                            PersonalTables(of: .all).all.contains { $0.name.description == other.description },
                            "\(name)")
                    }
                    if case .with(let other) = table.erasure {
                        #expect(
                            PersonalTables(of: .all).all.contains { $0.name.description == other.description },
                            "\(name)")
                    }
                }
            }
        }
    }

    @Test("Every column of an exported table is in the export, or the registry says why it is not")
    func exportedColumns() async throws {
        try await withDatabase { database, _ in
            for table in PersonalTables(of: .all).all {
                guard case .rows(_, let exported) = table.export else { continue }
                let name = table.name.description
                let columns = try await database.read { reader in
                    try reader.map(.onlySQLite("SELECT name FROM pragma_table_info(\(name))")) {
                        try $0["name"] as String
                    }
                }
                var left = Set(columns).subtracting(exported.map(\.name.description)).subtracting(["change"])
                if case .column(let owner) = table.owner { left.remove(owner.description) }
                if case .row(let owner, _, _, _) = table.owner { left.remove(owner.description) }
                #expect(left == Set(table.omits.flatMap(\.names).map(\.description)), "\(name)")
            }
        }
    }

    @Test("The registry marks rows as deleted with the user exactly where the schema cascades")
    func cascadesMatchTheSchema() async throws {
        try await withDatabase { database, _ in
            let references = try await database.read { try Self.references(in: $0) }
            #expect(references.allSatisfy { $0.onDelete == "CASCADE" })
            for table in PersonalTables(of: .all).all {
                guard case .column(let column) = table.owner else { continue }
                let isReference = references.contains {
                    $0.table == table.name.description && $0.column == column.description
                }
                let cascades = if case .cascade = table.erasure { true } else { false }
                #expect(cascades == isReference, "\(table.name)")
            }
        }
    }
}
