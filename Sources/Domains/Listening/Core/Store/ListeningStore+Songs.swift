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

extension SongDescription {
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
    /// Songs as sources described them, by their keys in the database.
    func songs(_ ids: some Collection<Int64>, history: Int64) throws -> [Int64: SongDescription] {
        var found: [Int64: SongDescription] = [:]
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT s.id, \(SongDescription.columns) FROM listen_songs s
                WHERE s.history_id = \(history) AND s.id IN (\(list: part))
                """
            ) {
                found[try $0["id"]] = try SongDescription($0)
                return .continue
            }
        }
        return found
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// The keys of songs in the database. Songs that are not there yet are added.
    ///
    /// - Returns: the keys in the order of the songs.
    func insertMissing(_ songs: [SongDescription], history: Int64, now: Timestamp) throws -> [Int64] {
        let saidKeys = songs.map(\.key)
        var known = try keys(of: saidKeys, in: "listen_songs", history: history)
        var missing: [(Int64, SongDescription)] = []
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
                try transaction.run(insertSong, values)
            }
            try recordUse(ofHistory: history, bytes: missing.reduce(0) { $0 + $1.1.bytes })
            try transaction.run(
                "UPDATE listen_histories SET newest_song = \(first + Int64(missing.count) - 1) WHERE id = \(history)")
        }
        return saidKeys.map { known[$0] ?? 0 }
    }

    /// The keys of details in the database, by their text. Details that are not there yet are added.
    func insertMissing(details: Set<String>, history: Int64, now: Timestamp) throws -> [String: Int64] {
        guard !details.isEmpty else { return [:] }
        let saidKeys = Dictionary(uniqueKeysWithValues: details.map { ($0, StableKey.of([$0])) })
        var known = try keys(of: Array(saidKeys.values), in: "listen_details", history: history)
        let missing = saidKeys.filter { known[$0.value] == nil }
        if !missing.isEmpty {
            let first = try nextKeys(missing.count, now: now)
            var bytes = 0
            for (offset, (text, key)) in missing.enumerated() where known[key] == nil {
                known[key] = first + Int64(offset)
                bytes += text.utf8.count
                try transaction.run(
                    insertDetails,
                    [history.sqlValue, (first + Int64(offset)).sqlValue, key.sqlValue, text.sqlValue])
            }
            try recordUse(ofHistory: history, bytes: bytes)
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
                return .continue
            }
        }
        return known
    }

    /// The keys of programs, by their names. Programs that are not there yet are added.
    func insertMissing(clients names: Set<String>, history: Int64) throws -> [String: Int64] {
        guard !names.isEmpty else { return [:] }
        var known: [String: Int64] = [:]
        for part in names.inParts {
            try transaction.forEachRow(
                "SELECT id, name FROM listen_clients WHERE history_id = \(history) AND name IN (\(list: part))"
            ) {
                let (id, name): (Int64, String) = (try $0["id"], try $0["name"])
                known[name] = min(known[name] ?? id, id)
                return .continue
            }
        }
        guard known.count < names.count else { return known }
        let last: Int64 =
            try transaction.row(
                "SELECT COALESCE(MAX(id), 0) AS last FROM listen_clients WHERE history_id = \(history)")?["last"] ?? 0
        for (offset, name) in names.filter({ known[$0] == nil }).sorted().enumerated() {
            let id = last + 1 + Int64(offset)
            try transaction.run(
                "INSERT INTO listen_clients (history_id, id, name) VALUES (\(history), \(id), \(name))")
            known[name] = id
        }
        try recordUse(
            ofHistory: history, bytes: names.reduce(0) { $0 + ((known[$1] ?? 0) > last ? $1.utf8.count : 0) })
        return known
    }
}

extension ListeningStore {
    /// The names of some programs that reported a person's listens, by their keys.
    func clients(_ ids: Set<Int64>, history: Int64) throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        for part in ids.inParts {
            try transaction.forEachRow(
                "SELECT id, name FROM listen_clients WHERE history_id = \(history) AND id IN (\(list: part))"
            ) {
                names[try $0["id"]] = try $0["name"]
                return .continue
            }
        }
        return names
    }
}
