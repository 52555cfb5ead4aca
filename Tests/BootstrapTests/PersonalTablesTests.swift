import Bootstrap
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
        "permit_waiting.person": "a pseudonym, for as long as a call waits",
        "permit_turns.person": "a pseudonym, for some minutes after a call was made",
        "concert_subjects.job_id": "a lookup, done for everybody",
    ]

    /// Names of columns with the key of a row in a registered table: `job_id`, `search_id` …
    private static let keysOfRows: Set<String> = Set(
        PersonalTables.all.all.flatMap { table -> [String] in
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
        Set(try found(in: reader).keys).subtracting(PersonalTables.all.all.map(\.name.description))
    }

    @Test("The registry has every table with a column for users")
    func complete() async throws {
        try await withDatabase { database, _ in
            let missing = try await database.read { try Self.unregistered(in: $0) }
            #expect(missing == [])
        }
    }

    @Test("A table that is not in the registry is found, whatever its column is called")
    func gaps() async throws {
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
    func columns() async throws {
        try await withDatabase { database, _ in
            try await database.read { reader in
                for table in PersonalTables.all.all {
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
                        #expect(PersonalTables.all.all.contains { $0.name.description == other.description }, "\(name)")
                    }
                    if case .with(let other) = table.erasure {
                        #expect(PersonalTables.all.all.contains { $0.name.description == other.description }, "\(name)")
                    }
                }
            }
        }
    }

    /// Columns that are not exported, by reason. A `*` stands for all tables.
    private static let notExported: [String: [String]] = [
        "the person and the keys of rows, which say nothing without the other tables": [
            "*.user_id", "*.history_id", "*.library_id", "*.account_id", "*.job_id", "libraries.id",
            "library_accounts.id", "library_changes.id", "listen_observations.id", "curated_lists.partner_id",
            "library_copies.last_edit", "library_copy_entries.source_track_id", "library_copy_entries.edit_id",
            "library_decisions.split_track_id", "library_edits.part_of", "library_import_skips.number",
            "library_syncs.number", "listen_songs.track_id", "listen_observations.import_id",
            "concert_search_subjects.artist_id", "concert_search_subjects.subject_key",
        ],
        "secret": ["tokens.hash", "sessions.hash", "sessions.token_hash", "secrets.sealed"],
        "numbers that order changes, and what only the programs need for their work": [
            "*.change", "*.fingerprint", "*.synced_at", "secrets.key_id", "domain_schedules.planned_at",
            "connections.token_expires_at", "connections.refresh_owner", "connections.refresh_expires_at",
            "connections.refresh_boot", "concert_searches.is_running", "concert_search_subjects.resets_at",
            "concert_search_subjects.waits_since", "curated_lists.calls", "curated_lists.cache_key",
            "curated_lists.pending_tokens", "curated_lists.pending_month", "libraries.songs_change",
            "library_imports.pruning_since", "library_imports.pruned_at", "library_copies.restores",
            "library_edits.restores",
        ],
        "how the queue runs a job": [
            "jobs.version", "jobs.run", "jobs.maximum_attempts", "jobs.worker", "jobs.lease_expires_at",
            "jobs.is_suspect", "jobs.crashes", "jobs.trace", "jobs.awaits", "jobs.deaths", "jobs.ran_for",
            "jobs.awaited_scopes", "jobs.is_ephemeral", "jobs.screen", "jobs.crash_group", "jobs.outage_at",
            "jobs.on_behalf_of", "jobs.submitted_bytes", "jobs.planned_at", "job_attempts.worker",
        ],
        "follows from what is exported": [
            "*.title_key", "*.artist_key", "*.album_key", "*.name_key", "*.said_key", "*.song_key", "listens.sources",
            "listen_songs.plays", "libraries.tracks", "libraries.apple_tracks", "libraries.spotify_tracks",
            "libraries.shared_tracks", "libraries.missing_tracks", "libraries.playlists", "libraries.albums",
            "libraries.last_synced_at", "libraries.identity_stage", "libraries.identity_after",
            "library_decisions.holds_sides", "library_tracks.sources", "library_tracks.album_artist",
            "library_tracks.composer", "library_tracks.genres", "library_tracks.duration_ms",
            "library_tracks.is_explicit", "library_tracks.disc_number", "library_tracks.track_number",
            "library_tracks.album_position", "library_tracks.release_date", "library_tracks.artwork",
            "library_tracks.plays", "library_tracks.listens", "library_tracks.total_plays",
        ],
        "how far a service was read or written": [
            "listen_observations.form", "library_playlists.entries_state", "library_playlists.upstream_version",
            "library_playlists.is_due", "library_playlists.due_version", "library_playlists.edits",
            "library_playlists.can_edit", "library_playlists.read_at", "library_playlists.listed_count",
            "library_playlists.read_count", "library_changes.sync", "library_syncs.sources", "library_syncs.is_single",
            "library_syncs.is_forced", "library_imports.file", "library_copies.entries_version",
            "library_copies.repeats", "library_copy_entries.written_id", "library_copy_entries.other_id",
            "library_edits.undo", "library_edit_steps.before", "library_edit_steps.after", "library_edit_steps.lost_at",
        ],
    ]

    @Test("Every column of an exported table is in the export, or a reason says why it is not")
    func exportedColumns() async throws {
        let named = Set(Self.notExported.values.joined())
        try await withDatabase { database, _ in
            var unused = named
            for table in PersonalTables.all.all {
                guard case .rows(_, let exported) = table.export else { continue }
                let name = table.name.description
                let columns = try await database.read { reader in
                    try reader.map(.onlySQLite("SELECT name FROM pragma_table_info(\(name))")) {
                        try $0["name"] as String
                    }
                }
                let left = Set(columns).subtracting(exported.map(\.name.description))
                    .filter { !named.contains("\(name).\($0)") && !named.contains("*.\($0)") }
                #expect(left == [], "\(name)")
                unused.subtract(columns.flatMap { ["\(name).\($0)", "*.\($0)"] })
            }
            #expect(unused == [])
        }
    }

    @Test("The registry marks rows as deleted with the user exactly where the schema cascades")
    func cascades() async throws {
        try await withDatabase { database, _ in
            let references = try await database.read { try Self.references(in: $0) }
            #expect(references.allSatisfy { $0.onDelete == "CASCADE" })
            for table in PersonalTables.all.all {
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
