import Model
import Storage

private let insertSong = ConstantSQL(
    """
    INSERT INTO listen_songs (history_id, id, said_key, title, artist, album, duration_ms, isrc, recording_mbid,
        spotify_id, apple_music_id, plays, change)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)
    """)

private let insertDetails = ConstantSQL(
    "INSERT INTO listen_details (history_id, id, said_key, details) VALUES (?, ?, ?, ?)")

extension SaidSong {
    static let columns: SQL = """
        s.title, s.artist, s.album, s.duration_ms, s.isrc, s.recording_mbid, s.spotify_id, s.apple_music_id
        """

    init(_ row: Row) throws {
        self.init(
            title: try row["title"], artist: try row["artist"], album: try row["album"],
            durationMilliseconds: try row["duration_ms"], isrc: try row["isrc"],
            recordingMBID: try row["recording_mbid"], spotifyID: try row["spotify_id"],
            appleMusicID: try row["apple_music_id"])
    }
}

extension ListeningStore {
    /// Songs as they were said, by their keys in the database.
    func songs(_ ids: some Collection<Int64>, history: Int64) throws -> [Int64: SaidSong] {
        var found: [Int64: SaidSong] = [:]
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT s.id, \(SaidSong.columns) FROM listen_songs s
                WHERE s.history_id = \(history) AND s.id IN (\(list: part))
                """
            ) {
                found[try $0["id"]] = try SaidSong($0)
                return .goOn
            }
        }
        return found
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// The keys of songs in the database. Those that nobody has said before are added.
    ///
    /// - Returns: in the order of the songs.
    func keep(_ songs: [SaidSong], history: Int64, now: Timestamp) throws -> [Int64] {
        let saidKeys = songs.map(\.key)
        var known = try keys(of: saidKeys, in: "listen_songs", history: history)
        var missing: [(Int64, SaidSong)] = []
        for (key, song) in zip(saidKeys, songs) where known[key] == nil {
            known[key] = 0
            missing.append((key, song))
        }
        if !missing.isEmpty {
            let first = try nextKeys(missing.count, now: now)
            for (offset, (key, song)) in missing.enumerated() {
                let id = first + Int64(offset)
                known[key] = id
                let values: [SQLValue] = [
                    history.sqlValue, id.sqlValue, key.sqlValue, song.title.sqlValue, song.artist.sqlValue,
                    SQLValue(song.album), SQLValue(song.durationMilliseconds), SQLValue(song.isrc),
                    SQLValue(song.recordingMBID), SQLValue(song.spotifyID), SQLValue(song.appleMusicID),
                ]
                try transaction.execute(insertSong, values)
            }
        }
        return saidKeys.map { known[$0] ?? 0 }
    }

    /// The keys of details in the database, by the text.
    func keep(details: Set<String>, history: Int64, now: Timestamp) throws -> [String: Int64] {
        guard !details.isEmpty else { return [:] }
        let saidKeys = Dictionary(uniqueKeysWithValues: details.map { ($0, StableKey.of([$0])) })
        var known = try keys(of: Array(saidKeys.values), in: "listen_details", history: history)
        let missing = saidKeys.filter { known[$0.value] == nil }
        if !missing.isEmpty {
            let first = try nextKeys(missing.count, now: now)
            for (offset, (text, key)) in missing.enumerated() where known[key] == nil {
                known[key] = first + Int64(offset)
                try transaction.execute(
                    insertDetails,
                    [history.sqlValue, (first + Int64(offset)).sqlValue, key.sqlValue, text.sqlValue])
            }
        }
        return saidKeys.compactMapValues { known[$0] }
    }

    private func keys(of saidKeys: [Int64], in table: StaticString, history: Int64) throws -> [Int64: Int64] {
        var known: [Int64: Int64] = [:]
        for part in Set(saidKeys).inParts {
            try transaction.forEachRow(
                """
                SELECT id, said_key FROM \(trusted: table)
                WHERE history_id = \(history) AND said_key IN (\(list: part))
                """
            ) {
                known[try $0["said_key"]] = try $0["id"]
                return .goOn
            }
        }
        return known
    }

    /// The keys of programs, by their names.
    func keep(clients: Set<String>, history: Int64) throws -> [String: Int64] {
        guard !clients.isEmpty else { return [:] }
        var known = Dictionary(
            try self.clients(history: history).map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })
        var next = (known.values.max() ?? 0) + 1
        for name in clients.sorted() where known[name] == nil {
            try transaction.execute(
                "INSERT INTO listen_clients (history_id, id, name) VALUES (\(history), \(next), \(name))")
            known[name] = next
            next += 1
        }
        return known
    }
}

extension ListeningStore {
    /// The names of programs that told a person's listens, by their keys.
    func clients(history: Int64) throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        try transaction.forEachRow("SELECT id, name FROM listen_clients WHERE history_id = \(history)") {
            names[try $0["id"]] = try $0["name"]
            return .goOn
        }
        return names
    }
}
