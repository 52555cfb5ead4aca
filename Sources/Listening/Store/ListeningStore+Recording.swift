import Model
import Storage

private let insertObservation = ConstantSQL(
    """
    INSERT INTO listen_observations (history_id, started_at, id, time, form, source, client_id, song_id, played_ms,
        source_id, details_id, import_id, is_deleted, listen_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
    """)

extension ListeningStore where Access == WriteTransaction {
    /// Records what a source says of plays, and derives the listens anew that this touches.
    ///
    /// - Parameters:
    ///   - observations: some hundreds at most; the transaction holds the write lock meanwhile.
    ///   - importID: the import that brings them.
    package func record(
        _ observations: [NewObservation], import importID: LibraryID? = nil, userID: String, now: Timestamp
    ) throws -> RecordCounts {
        guard !observations.isEmpty else { return RecordCounts() }
        let history = try openHistory(ofUser: userID, now: now)
        let songs = try keep(observations.map(\.song), history: history, now: now)
        let clientIDs = try keep(clients: Set(observations.compactMap(\.client)), history: history)
        let details = try keep(details: Set(observations.compactMap(\.details)), history: history, now: now)
        var incoming = zip(observations, songs).map { observation, song in
            IncomingPlay(
                play: Play(
                    id: 0, source: observation.source, client: observation.client, songID: song,
                    time: observation.time.microseconds, stamp: observation.stamp, precision: observation.precision,
                    playedMilliseconds: observation.playedMilliseconds,
                    durationMilliseconds: observation.song.durationMilliseconds, sourceID: observation.sourceID,
                    importID: importID?.key),
                song: observation.song, clientID: observation.client.flatMap { clientIDs[$0] },
                detailsID: observation.details.flatMap { details[$0] })
        }
        incoming.sort { $0.play.start < $1.play.start }
        var counts = RecordCounts()
        for run in incoming.runs(by: \.play.start) {
            counts += try record(run: run, history: history, userID: userID, now: now)
        }
        for source in Set(observations.map(\.source)) {
            try noteContact(source, userID: userID, now: now)
        }
        return counts
    }

    /// Notes that a source answered, without a listen.
    package func noteContact(_ source: ListenSource, userID: String, now: Timestamp) throws {
        let history = try openHistory(ofUser: userID, now: now)
        try transaction.execute(
            """
            INSERT INTO listen_contacts (history_id, source, last_at) VALUES (\(history), \(source.number), \(now))
            ON CONFLICT (history_id, source) DO UPDATE SET last_at = excluded.last_at
            """)
    }

    private func record(
        run: [IncomingPlay], history: Int64, userID: String, now: Timestamp
    ) throws -> RecordCounts {
        var counts = RecordCounts()
        let clients = try clients(history: history)
        var derivation = Rederivation(history: history, userID: userID, clients: clients)
        for incoming in run { derivation.saidKeys[incoming.play.songID] = incoming.song.key }
        let known = try plays(in: derivation.range(around: run.map(\.play.start)), history: history, clients: clients)
        var repeats = Repeats(known.plays)
        var songs = try self.songs(repeats.songsToCompare(run.map(\.play)), history: history)
        for incoming in run { songs[incoming.play.songID] = incoming.song }
        var matching = SongMatching(songs)
        var added: [IncomingPlay] = []
        let first = try nextKeys(run.count, now: now)
        for (offset, incoming) in run.enumerated() {
            if let former = repeats.former(of: incoming.play, &matching) {
                counts.repeated += 1
                try noteRepeat(of: former, by: incoming.play.importID, history: history)
                continue
            }
            var kept = incoming
            kept.play.id = first + Int64(offset)
            repeats.add(kept.play)
            added.append(kept)
        }
        guard !added.isEmpty else { return counts }
        derivation.added = added.map(\.play)
        let result = try derive(derivation, now: now)
        for incoming in added {
            let play = incoming.play
            let values: [SQLValue] = [
                history.sqlValue, play.start.sqlValue, play.id.sqlValue,
                play.time == play.start ? .null : play.time.sqlValue, play.form.sqlValue,
                play.source.number.sqlValue, SQLValue(incoming.clientID), play.songID.sqlValue,
                SQLValue(play.playedMilliseconds), SQLValue(play.sourceID), SQLValue(incoming.detailsID),
                SQLValue(play.importID), (result.listenIDs[play.id] ?? 0).sqlValue,
            ]
            try transaction.execute(insertObservation, values)
        }
        counts.new += result.newListens
        counts.joined += added.count - result.newListens
        return counts
    }

    /// Notes that an import, or a source that is no import, says again what is known.
    private func noteRepeat(of play: Play, by importID: Int64?, history: Int64) throws {
        // It may be a repeat of one that is added in the same transaction.
        guard let known = play.importID, known != importID else { return }
        guard let importID else {
            try transaction.execute(
                """
                UPDATE listen_observations SET import_id = NULL
                WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
                """)
            return
        }
        try transaction.execute(
            """
            INSERT INTO listen_repeats (history_id, import_id, started_at, observation_id)
            VALUES (\(history), \(importID), \(play.start), \(play.id)) ON CONFLICT DO NOTHING
            """)
    }
}

/// An observation on its way into the database.
private struct IncomingPlay {
    var play: Play
    let song: SaidSong
    let clientID: Int64?
    let detailsID: Int64?
}

/// Finds what a source has told before.
private struct Repeats {
    private struct Moment: Hashable {
        let source: ListenSource
        let client: String?
        let time: Int64

        init(_ play: Play) { (source, client, time) = (play.source, play.client, play.time) }
    }

    private var plays: [Moment: [Play]] = [:]

    init(_ plays: [Play]) {
        for play in plays { add(play) }
    }

    mutating func add(_ play: Play) { plays[Moment(play), default: []].append(play) }

    func songsToCompare(_ incoming: [Play]) -> Set<Int64> {
        Set(incoming.flatMap { plays[Moment($0)] ?? [] }.map(\.songID))
    }

    func former(of play: Play, _ matching: inout SongMatching) -> Play? {
        guard let candidates = plays[Moment(play)] else { return nil }
        for former in candidates
        where !play.source.repeatsHaveSameLength || former.playedMilliseconds == play.playedMilliseconds {
            if matching.mayBeOne(former.songID, play.songID) { return former }
        }
        return nil
    }
}
