import Storage

/// All rows of the libraries of a database that has one person: with the services' ids in place of Backline's, and
/// without times. Two databases that were filled in the same way have the same rows.
struct LibraryRows {
    private let reader: ReadTransaction
    /// What a key stands for.
    private var names: [Int64: String] = [:]
    /// The versions of playlists' entries that are shown, and those that changes name.
    private var (shown, replaced): (Set<Int64>, Set<Int64>) = ([], [])

    init(_ reader: ReadTransaction) throws {
        self.reader = reader
        let sourceTracks = try reader.rows(
            "SELECT id, track_id, source, source_id FROM library_source_tracks ORDER BY source, source_id")
        for row in sourceTracks {
            let (key, track): (Int64, Int64) = (try row["id"], try row["track_id"])
            let (source, id): (Int, String) = (try row["source"], try row["source_id"])
            names[key] = "\(source):\(id)"
            // A track is what its source tracks are.
            names[track, default: "track"] += " \(source):\(id)"
        }
        for row in try reader.rows("SELECT id, source, source_id, entries_version FROM library_playlists") {
            let (key, version): (Int64, Int64) = (try row["id"], try row["entries_version"])
            let (source, id): (Int, String) = (try row["source"], try row["source_id"])
            names[key] = "playlist \(source):\(id)"
            shown.insert(version)
        }
        for row in try reader.rows("SELECT id, source, source_id FROM library_albums") {
            let (key, source, id): (Int64, Int, String) = (try row["id"], try row["source"], try row["source_id"])
            names[key] = "album \(source):\(id)"
        }
        let changes = try reader.rows(
            "SELECT entries_version FROM library_changes WHERE entries_version IS NOT NULL")
        for row in changes {
            let version: Int64 = try row["entries_version"]
            replaced.insert(version)
        }
    }

    /// The rows of all tables, each as a line, in the order of their texts.
    func lines() throws -> [String] {
        var lines: [String] = []
        for table in Self.tables {
            for row in try reader.rows("SELECT * FROM \(trusted: table.name)") {
                var parts = ["\(table.name)"]
                for column in table.columns {
                    let value: SQLValue = try row[column]
                    parts.append("\(column)=\(Self.withoutPorts(text(value), in: column))")
                }
                for column in table.keys {
                    let value: SQLValue = try row[column]
                    parts.append("\(column)=\(name(value))")
                }
                for column in table.moments {
                    let value: SQLValue = try row[column]
                    parts.append("\(column)=\(value == .null ? "no" : "yes")")
                }
                lines.append(parts.joined(separator: " | "))
            }
        }
        lines += try entries()
        lines += try syncs()
        lines += try searchTexts()
        return lines.sorted()
    }

    /// The lines that only one side has; those of the first side are marked with a minus.
    static func differences(_ first: [String], _ second: [String]) -> [String] {
        var counts: [String: Int] = [:]
        for line in first { counts[line, default: 0] -= 1 }
        for line in second { counts[line, default: 0] += 1 }
        return counts.filter { $0.value != 0 }.map { "\($0.value < 0 ? "-" : "+") \($0.key)" }.sorted()
    }

    // MARK: Tables

    private struct Table {
        var name: StaticString
        /// Columns that are compared as they are.
        var columns: [String]
        /// Columns with keys, which are compared by what they stand for.
        var keys: [String] = []
        /// Columns with times, which are only compared for being present.
        var moments: [String] = []

        init(_ name: StaticString, _ columns: String, keys: [String] = [], moments: [String] = []) {
            self.name = name
            self.columns = columns.split(separator: " ").map(String.init)
            self.keys = keys
            self.moments = moments
        }
    }

    // Left out are `library_keys`, and the credential's mark and the account of Apple Music, which come from a token
    // that each simulator makes for itself.
    private static let tables = [
        Table(
            "libraries",
            "tracks apple_tracks spotify_tracks shared_tracks missing_tracks playlists albums",
            moments: ["last_synced_at"]),
        Table("library_accounts", "source"),
        Table("library_readings", "source list total head unread", moments: ["whole_at"]),
        Table("library_sources", "source storefront question", moments: ["completed_at", "removal_at"]),
        Table(
            "library_tracks",
            """
            title artist album title_key artist_key album_key sources is_saved album_artist composer genres \
            duration_ms isrc is_explicit disc_number track_number album_position release_date artwork plays
            """, keys: ["id"], moments: ["missing_since"]),
        Table(
            "library_source_tracks",
            """
            source source_id is_saved title artist album catalog_id storefront album_artist composer genres \
            duration_ms isrc is_explicit disc_number track_number release_date artwork popularity preview plays rating
            """, keys: ["track_id"], moments: ["missing_since", "added_at", "last_played_at"]),
        Table(
            "library_playlists",
            """
            source source_id name name_key description owner_id owner_name is_public is_collaborative artwork \
            entry_count entries_state upstream_version is_due due_version
            """, moments: ["missing_since", "added_at"]),
        Table(
            "library_albums",
            "source source_id name artist name_key artist_key artwork release_date track_count genres",
            moments: ["missing_since", "added_at"]),
        Table(
            "library_changes", "sync kind item source title", keys: ["item_id"], moments: ["entries_version"]),
        Table("library_sightings", "source item", keys: ["item_id"]),
        Table("library_fetched_pages", "source page_offset page"),
    ]

    private func entries() throws -> [String] {
        try reader.rows("SELECT * FROM library_playlist_entries").map { row in
            let version: Int64 = try row["version"]
            let state = shown.contains(version) ? "shown" : replaced.contains(version) ? "replaced" : "staged"
            let (position, kind): (Int, String) = (try row["position"], try row["kind"])
            let (playlist, track, title): (SQLValue, SQLValue, SQLValue) = (
                try row["playlist_id"], try row["source_track_id"], try row["title"]
            )
            let parts = [
                "library_playlist_entries", name(playlist), state, "\(position)", kind, name(track), text(title),
            ]
            return parts.joined(separator: " | ")
        }
    }

    /// Syncs have the ids of their jobs. People count them by numbers.
    private func syncs() throws -> [String] {
        let syncs = try reader.rows("SELECT * FROM library_syncs")
        let sources = try reader.rows(
            """
            SELECT library_syncs.number AS number, library_sync_sources.source AS source,
                library_sync_sources.state AS state, phase, found, added, changed, total, error_code, is_dismissed
            FROM library_sync_sources JOIN library_syncs ON library_syncs.id = sync_id
            """)
        return try lines(syncs, "library_syncs", "number sources is_single is_forced state merged")
            + lines(
                sources, "library_sync_sources",
                "number source state phase found added changed total error_code is_dismissed")
    }

    private func lines(_ rows: [Row], _ table: String, _ columns: String) throws -> [String] {
        try rows.map { row in
            let parts = try columns.split(separator: " ").map { column in
                let value: SQLValue = try row[String(column)]
                return "\(column)=\(text(value))"
            }
            return ([table] + parts).joined(separator: " | ")
        }
    }

    /// What searches read: how it is cut into blocks makes no difference to them.
    private func searchTexts() throws -> [String] {
        var lines: [String] = []
        for row in try reader.rows("SELECT texts FROM library_search_blocks") {
            let value: SQLValue = try row["texts"]
            guard case .blob(let bytes) = value else { continue }
            // 0xFF ends each field of a track.
            lines += bytes.split(separator: 0xff).map { field in
                "library_search_blocks | " + String(decoding: field, as: UTF8.self)
            }
        }
        return lines
    }

    // MARK: Values

    /// Columns with addresses of the simulator, whose port differs between installations.
    private static let columnsWithAddresses: Set<String> = ["artwork", "preview", "page"]

    private static func withoutPorts(_ text: String, in column: String) -> String {
        columnsWithAddresses.contains(column) ? text.replacing(/127\.0\.0\.1:[0-9]+/, with: "simulator") : text
    }

    private func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "\(bytes)"
        }
    }

    private func name(_ value: SQLValue) -> String {
        guard case .integer(let key) = value else { return text(value) }
        return names[key] ?? "nothing"
    }
}
