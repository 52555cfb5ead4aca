import Model
import Storage

/// A loaded part of a history.
struct PlayWindow {
    var plays: [Play] = []
    /// The hashes of the songs, by their keys.
    var saidKeys: [Int64: Int64] = [:]
    /// Hours from which nothing was loaded, since they have too many observations for joining.
    var crowded: Set<ListenHour> = []
    /// How many rows were read.
    var rows = 0

    mutating func add(_ other: PlayWindow) {
        plays += other.plays
        saidKeys.merge(other.saidKeys) { known, _ in known }
        rows += other.rows
    }
}

extension ListeningStore {
    /// The observations that begin in a range of hours, without those of crowded hours. At most a few hundred rows are
    /// read for each hour.
    func plays(in hours: ListenHours, history: Int64) throws -> PlayWindow {
        var loaded = PlayWindow()
        var hour = hours.first
        // The last row of the previous batch, whose hour continues.
        var last: Play?
        while hour <= hours.last {
            let place: SQL =
                last.map { "(o.started_at, o.id) > (\($0.start), \($0.id))" } ?? "o.started_at >= \(hour.first)"
            let limit = ListenHour.most + 1
            let part = try load(
                """
                \(place) AND o.started_at <= \(hours.last.last) ORDER BY o.started_at, o.id LIMIT \(limit)
                """, history: history)
            loaded.add(part)
            guard part.plays.count == limit, let end = part.plays.last else { break }
            let ending = ListenHour(of: end)
            if loaded.plays.reversed().prefix(while: { ListenHour(of: $0) == ending }).count > ListenHour.most {
                (hour, last) = (ending.next, nil)
            } else {
                last = end
            }
        }
        let counts = loaded.plays.reduce(into: [:]) { $0[ListenHour(of: $1), default: 0] += 1 }
        loaded.crowded = Set(counts.filter { $0.value > ListenHour.most }.keys)
        if !loaded.crowded.isEmpty {
            let crowded = loaded.crowded
            loaded.plays.removeAll { crowded.contains(ListenHour(of: $0)) }
        }
        return loaded
    }

    /// The first observations with a start, in order of arrival.
    func plays(at start: Int64, limit: Int, history: Int64) throws -> PlayWindow {
        try load("o.started_at = \(start) ORDER BY o.id LIMIT \(limit)", history: history)
    }

    /// The observations with a start and a song as it was described, in order of arrival.
    func plays(ofSong song: Int64, at start: Int64, limit: Int, history: Int64) throws -> PlayWindow {
        try load(Self.ofSong(song, at: start, limit: limit, history: history) + " ORDER BY o.id", history: history)
    }

    /// A condition for the first observations with a song and a start. The index has only their keys. SQLite would not
    /// use it to select whole rows, but would read everything with that start.
    static func ofSong(_ song: Int64, at start: Int64, limit: Int, history: Int64) -> SQL {
        """
        o.started_at = \(start) AND o.id IN (
            SELECT x.id FROM listen_observations x
            WHERE x.history_id = \(history) AND x.song_id = \(song) AND x.started_at = \(start)
            ORDER BY x.id LIMIT \(limit))
        """
    }

    /// All observations of the given listens.
    func plays(ofListens ids: Set<Int64>, history: Int64) throws -> PlayWindow {
        var loaded = PlayWindow()
        for part in ids.subtracting([0]).sorted().inParts {
            loaded.add(try load(Self.ofListens(part, history: history), history: history))
        }
        return loaded
    }

    /// A condition for the observations of the given listens, through the keys in their index
    /// (``ofSong(_:at:limit:history:)``).
    static func ofListens(_ ids: some Collection<Int64>, history: Int64) -> SQL {
        """
        (o.started_at, o.id) IN (
            SELECT x.started_at, x.id FROM listen_observations x
            WHERE x.history_id = \(history) AND x.listen_id IN (\(list: Array(ids))))
        """
    }

    /// A condition for some observations of an import, through the keys in its index (``ofSong(_:at:limit:history:)``).
    static func ofImport(_ id: LibraryID, limit: Int, history: Int64) -> SQL {
        """
        (o.started_at, o.id) IN (
            SELECT x.started_at, x.id FROM listen_observations x
            WHERE x.history_id = \(history) AND x.import_id = \(id.key) ORDER BY x.started_at, x.id LIMIT \(limit))
        """
    }

    /// - Parameter condition: the rest of the statement, after the condition on the history.
    func load(_ condition: SQL, history: Int64) throws -> PlayWindow {
        var loaded = PlayWindow()
        var clients: [Int64?] = []
        try transaction.forEachRow(
            """
            SELECT o.started_at, o.id, o.time, o.form, o.source, o.client_id, o.song_id, o.played_ms, o.source_id,
                o.details_id, o.import_id, o.is_deleted, o.listen_id, s.duration_ms, s.said_key
            FROM listen_observations o JOIN listen_songs s ON s.history_id = o.history_id AND s.id = o.song_id
            WHERE o.history_id = \(history) AND \(condition)
            """
        ) { row in
            let play = try Play(row)
            loaded.plays.append(play)
            loaded.saidKeys[play.songID] = try row["said_key"]
            clients.append(try row["client_id"])
            return .continue
        }
        let names = try self.clients(Set(clients.compactMap { $0 }), history: history)
        for (index, client) in clients.enumerated() { loaded.plays[index].client = client.flatMap { names[$0] } }
        loaded.rows = loaded.plays.count
        return loaded
    }
}

extension Play {
    /// Creates an observation without the name of the program, which is read afterwards.
    fileprivate init(_ row: Row) throws {
        let (form, number): (Int, Int) = (try row["form"], try row["source"])
        guard let source = ListenSource(number: number),
            let precision = Self.precision(ofForm: form),
            let stamp = NewObservation.Stamp(rawValue: form / 3)
        else {
            throw StorageError.column(name: "form", found: "\(form), \(number)", wanted: "an observation")
        }
        let startedAt: Int64 = try row["started_at"]
        self.init(
            id: try row["id"], source: source, client: nil, songID: try row["song_id"],
            time: try row["time"] ?? startedAt, stamp: stamp, precision: precision,
            playedMilliseconds: try row["played_ms"], durationMilliseconds: try row["duration_ms"],
            sourceID: try row["source_id"], detailsID: try row["details_id"], importID: try row["import_id"],
            isDeleted: (try row["is_deleted"] as Int) != 0, listenID: try row["listen_id"])
    }

    /// The value for the column `form`.
    var form: Int { stamp.rawValue * 3 + precision.rawValue }

    /// The precision in a value of the column `form`; `nil` for an invalid value.
    static func precision(ofForm form: Int) -> NewObservation.Precision? {
        NewObservation.Precision(rawValue: form % 3)
    }
}
