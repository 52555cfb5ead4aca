import Model
import Storage

extension ListeningStore {
    /// Brings what is in memory up to date: months that have changed are read again, all others stay.
    ///
    /// - Parameter genres: of tracks of the person's library, by their keys.
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
            return .goOn
        }
        // Songs whose tracks have changed belong to other groups.
        let songsChange = changes.removeValue(forKey: ListenMonth.songs) ?? 0
        if songsChange != columns.songsChange { columns = ListenColumns() }
        columns.songsChange = songsChange
        for (number, change) in changes {
            let month = ListenMonth(number: number)
            guard columns.months[month]?.change != change else { continue }
            try read(month, change: change, into: &columns, history: history, genres: genres)
        }
        for month in columns.months.keys where changes[month.number] == nil { columns.months[month] = nil }
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
            return .goOn
        }
        try addSongs(Set(rows.map(\.song)), to: &columns, history: history, genres: genres)
        var read = ListenColumns.Month(change: change)
        for row in rows {
            guard let song = columns.indexOfSong[row.song] else { continue }
            read.starts.append(row.start >= 0 ? row.start / 1_000_000 : (row.start - 999_999) / 1_000_000)
            read.songs.append(song)
            read.played.append(Int32(clamping: row.played ?? columns.songs[Int(song)].durationMs))
        }
        columns.months[month] = read
    }

    private func addSongs(
        _ ids: Set<Int64>, to columns: inout ListenColumns, history: Int64,
        genres: ([Int64]) throws -> [Int64: [String]]
    ) throws {
        let missing = ids.filter { columns.indexOfSong[$0] == nil }
        for part in missing.sorted().inParts {
            let songs = try transaction.map(
                """
                SELECT s.id, s.track_id, \(SaidSong.columns) FROM listen_songs s
                WHERE s.history_id = \(history) AND s.id IN (\(list: part)) ORDER BY s.id
                """
            ) { (id: try $0["id"] as Int64, track: try $0["track_id"] as Int64?, song: try SaidSong($0)) }
            let known = try genres(songs.compactMap(\.track))
            for song in songs {
                columns.add(song.song, id: song.id, track: song.track, genres: song.track.flatMap { known[$0] } ?? [])
            }
        }
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Notes that listens of months have changed.
    ///
    /// - Parameter months: their numbers; ``ListenMonth/songs`` for the tracks of songs.
    func monthsChanged(_ months: Set<Int>, history: Int64) throws {
        guard !months.isEmpty else { return }
        let change = try transaction.nextChange()
        for month in months.sorted() {
            try transaction.execute(
                """
                INSERT INTO listen_months (history_id, month, change) VALUES (\(history), \(month), \(change))
                ON CONFLICT (history_id, month) DO UPDATE SET change = excluded.change
                """)
        }
    }
}
