import Model
import Storage

extension ListeningStore {
    /// Brings the listens in memory up to date: only months and songs that have changed are read again.
    ///
    /// - Parameter genres: returns the genres of tracks in the person's library, by the tracks' keys.
    package func update(
        _ columns: inout ListenColumns, userID: String, genres: ([Int64]) throws -> [Int64: [String]]
    ) throws {
        guard let history = try historyID(ofUser: userID) else {
            columns = ListenColumns()
            return
        }
        var changes: [Int: Int64] = [:]
        try transaction.forEachRow("SELECT month, change FROM listen_months WHERE history_id = \(history)") {
            changes[try $0["month"]] = try $0["change"]
            return .continue
        }
        let gone = columns.months.keys.filter { changes[$0.number] == nil }
        let changed = changes.filter { columns.months[ListenMonth(number: $0.key)]?.change != $0.value }
        let newestSong: Int64 =
            try transaction.row(
                "SELECT MAX(change) AS newest FROM listen_songs WHERE history_id = \(history) AND change > 0"
            )?["newest"] ?? 0
        guard !gone.isEmpty || !changed.isEmpty || newestSong != columns.songsChange else { return }
        if newestSong > columns.songsChange {
            try readSongs(changedAfter: columns.songsChange, into: &columns, history: history, genres: genres)
        }
        columns.songsChange = newestSong
        for (number, change) in changed.sorted(by: { $0.key < $1.key }) {
            try read(
                ListenMonth(number: number), change: change, into: &columns, history: history, genres: genres)
        }
        for month in gone { columns.months[month] = nil }
        columns.computeFirstListens()
    }

    /// Reads the songs again whose tracks have changed, since they belong to other groups now.
    private func readSongs(
        changedAfter change: Int64, into columns: inout ListenColumns, history: Int64,
        genres: ([Int64]) throws -> [Int64: [String]]
    ) throws {
        let changed: [Int64] = try transaction.map(
            // The first condition is the one of the partial index.
            "SELECT id FROM listen_songs WHERE history_id = \(history) AND change > 0 AND change > \(change)"
        ) { try $0["id"] }
        try readSongs(
            changed.filter { columns.indexOfSong[$0] != nil }, into: &columns, history: history, genres: genres)
    }

    private func read(
        _ month: ListenMonth, change: Int64, into columns: inout ListenColumns, history: Int64,
        genres: ([Int64]) throws -> [Int64: [String]]
    ) throws {
        let moments = month.moments
        var rows: [(start: Int64, song: Int64, played: Int?)] = []
        try transaction.forEachRow(
            """
            SELECT started_at, song_id, played_ms FROM listens
            WHERE history_id = \(history) AND started_at >= \(moments.lowerBound) AND started_at < \(moments.upperBound)
            ORDER BY started_at, id
            """
        ) {
            rows.append((try $0["started_at"], try $0["song_id"], try $0["played_ms"]))
            return .continue
        }
        let new = Set(rows.map(\.song)).filter { columns.indexOfSong[$0] == nil }
        try readSongs(new.sorted(), into: &columns, history: history, genres: genres)
        var read = ListenColumns.Month(change: change)
        for row in rows {
            guard let song = columns.indexOfSong[row.song] else { continue }
            read.starts.append(row.start >= 0 ? row.start / 1_000_000 : (row.start - 999_999) / 1_000_000)
            read.songs.append(song)
            read.played.append(Int32(clamping: row.played ?? columns.songs[Int(song)].durationMs))
        }
        columns.months[month] = read
    }

    private func readSongs(
        _ ids: [Int64], into columns: inout ListenColumns, history: Int64,
        genres: ([Int64]) throws -> [Int64: [String]]
    ) throws {
        for part in ids.inParts {
            let songs = try transaction.map(
                """
                SELECT s.id, s.track_id, \(SongDescription.columns) FROM listen_songs s
                WHERE s.history_id = \(history) AND s.id IN (\(list: part)) ORDER BY s.id
                """
            ) { (id: try $0["id"] as Int64, track: try $0["track_id"] as Int64?, song: try SongDescription($0)) }
            let known = try genres(songs.compactMap(\.track))
            for song in songs {
                columns.set(song.song, id: song.id, track: song.track, genres: song.track.flatMap { known[$0] } ?? [])
            }
        }
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Records that listens in some months have changed.
    ///
    /// - Parameter months: the numbers of the months.
    func monthsChanged(_ months: Set<Int>, history: Int64) throws {
        guard !months.isEmpty else { return }
        let change = try transaction.nextChange()
        for month in months.sorted() {
            try transaction.run(
                """
                INSERT INTO listen_months (history_id, month, change) VALUES (\(history), \(month), \(change))
                ON CONFLICT (history_id, month) DO UPDATE SET change = excluded.change
                """)
        }
    }
}
