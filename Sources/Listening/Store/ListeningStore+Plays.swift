import Model
import Storage

/// A loaded part of a history.
struct LoadedPlays {
    var plays: [Play] = []
    /// The hashes of the songs, by their keys.
    var saidKeys: [Int64: Int64] = [:]
}

extension ListeningStore {
    /// The observations that begin within a time.
    ///
    /// - Parameter range: of starts, in microseconds since 1970.
    func plays(in range: ClosedRange<Int64>, history: Int64, clients: [Int64: String]) throws -> LoadedPlays {
        try load(
            """
            o.started_at >= \(range.lowerBound) AND o.started_at <= \(range.upperBound)
            ORDER BY o.started_at, o.id
            """, history: history, clients: clients)
    }

    /// - Parameter condition: the rest of the statement after the condition of the history.
    func load(_ condition: SQL, history: Int64, clients: [Int64: String]) throws -> LoadedPlays {
        var loaded = LoadedPlays()
        try transaction.forEachRow(
            """
            SELECT o.started_at, o.id, o.time, o.form, o.source, o.client_id, o.song_id, o.played_ms, o.source_id,
                o.import_id, o.is_deleted, o.listen_id, s.duration_ms, s.said_key
            FROM listen_observations o JOIN listen_songs s ON s.history_id = o.history_id AND s.id = o.song_id
            WHERE o.history_id = \(history) AND \(condition)
            """
        ) { row in
            let play = try Play(row, clients: clients)
            loaded.plays.append(play)
            loaded.saidKeys[play.songID] = try row["said_key"]
            return .goOn
        }
        return loaded
    }
}

extension Play {
    fileprivate init(_ row: Row, clients: [Int64: String]) throws {
        let (form, number): (Int, Int) = (try row["form"], try row["source"])
        guard let source = ListenSource(number: number),
            let precision = NewObservation.Precision(rawValue: form % 3),
            let stamp = NewObservation.Stamp(rawValue: form / 3)
        else {
            throw StorageError.column(name: "form", found: "\(form), \(number)", wanted: "an observation")
        }
        let startedAt: Int64 = try row["started_at"]
        let client: Int64? = try row["client_id"]
        self.init(
            id: try row["id"], source: source, client: client.flatMap { clients[$0] }, songID: try row["song_id"],
            time: try row["time"] ?? startedAt, stamp: stamp, precision: precision,
            playedMilliseconds: try row["played_ms"], durationMilliseconds: try row["duration_ms"],
            sourceID: try row["source_id"], importID: try row["import_id"],
            isDeleted: (try row["is_deleted"] as Int) != 0, listenID: try row["listen_id"])
    }

    /// For the column `form`.
    var form: Int { stamp.rawValue * 3 + precision.rawValue }
}
