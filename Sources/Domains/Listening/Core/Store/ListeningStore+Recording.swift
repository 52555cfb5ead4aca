import Model
import Storage

private let insertObservation = ConstantSQL(
    """
    INSERT INTO listen_observations (history_id, started_at, id, time, form, source, client_id, song_id, played_ms,
        source_id, details_id, import_id, is_deleted, listen_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
    """)

/// The most listens that are recorded in one transaction, since other people's writes have to wait for it.
package let mostRecordedListens = 250

/// What became of the observations of one transaction.
package struct RecordingCounts: Sendable, Equatable {
    package var counts = RecordCounts()
    /// How many of the observations were recorded, from the first on; the others are left for the next transaction.
    package var taken = 0
    /// The work that it took.
    var work = DerivationWork()
}

extension ListeningStore where Access == WriteTransaction {
    /// Records a source's reports of plays, and derives again the listens that they affect.
    ///
    /// - Parameters:
    ///   - observations: a few dozen at most, since the transaction holds the write lock in the meantime.
    ///   - importID: the import that they belong to.
    ///   - quota: how much the person may store.
    /// - Throws: ``QuotaReached`` if the person would store more than that; the transaction must then be rolled back.
    package func record(
        _ observations: [NewObservation], import importID: LibraryID? = nil, userID: String,
        quota: ListenQuota = .none, now: Timestamp
    ) throws -> RecordCounts {
        try recordPart(
            of: observations, import: importID, userID: userID, quota: quota, mostWork: .max, now: now
        ).counts
    }

    /// Records reports of plays like ``record(_:import:userID:quota:now:)``, but stops early if they are much work.
    ///
    /// - Parameters:
    ///   - observations: not empty, and at most ``mostRecordedListens``.
    ///   - mostWork: once this much work was done, the rest is left for the next transaction.
    /// - Returns: how far it came; at least one observation is recorded.
    package func recordPart(
        of observations: [NewObservation], import importID: LibraryID? = nil, userID: String,
        quota: ListenQuota = .none, mostWork: Int = mostDerivationWork, now: Timestamp
    ) throws -> RecordingCounts {
        guard !observations.isEmpty else { return RecordingCounts() }
        let history = try openHistory(ofUser: userID, now: now)
        let use = try use(ofHistory: history)
        var (recorded, step) = (RecordingCounts(), DerivationStep())
        // In order of arrival, so that the recorded ones are the first ones.
        let reports = observations.map { (observation: $0, play: Play($0, import: importID)) }
        for var run in reports.runs(by: \.play.start).map({ $0[...] }) {
            while !run.isEmpty, recorded.work.units < mostWork {
                let part = try insertMissing(run.prefix(step.count), history: history, now: now)
                let (count, cost) = try record(run: part, history: history, userID: userID, now: now)
                if count.repeated > 0 {
                    // A repeat may be worded differently from the known observation.
                    try dropUnused(songs: Set(part.map(\.play.songID)), history: history)
                    try dropUnused(details: Set(part.compactMap(\.detailsID)), history: history)
                }
                recorded.counts += count
                recorded.work += cost
                recorded.taken += part.count
                step.adapt(to: cost)
                run = run.dropFirst(part.count)
            }
        }
        for source in Set(observations.map(\.source)) {
            try recordContact(source, userID: userID, now: now)
        }
        try quota.check(from: use, to: try self.use(ofHistory: history))
        return recorded
    }

    /// Records that a source responded, even without a listen.
    package func recordContact(_ source: ListenSource, userID: String, now: Timestamp) throws {
        let history = try openHistory(ofUser: userID, now: now)
        try transaction.run(
            """
            INSERT INTO listen_contacts (history_id, source, last_at) VALUES (\(history), \(source.number), \(now))
            ON CONFLICT (history_id, source) DO UPDATE SET last_at = excluded.last_at
            """)
    }

    /// Inserts the songs, programs and details of observations that the database does not have yet.
    ///
    /// - Returns: the observations with the keys of these, ordered by their starts.
    private func insertMissing(
        _ reports: ArraySlice<(observation: NewObservation, play: Play)>, history: Int64, now: Timestamp
    ) throws -> [IncomingPlay] {
        let observations = reports.map(\.observation)
        let songs = try insertMissing(observations.map(\.song), history: history, now: now)
        let clients = try insertMissing(clients: Set(observations.compactMap(\.client)), history: history)
        let details = try insertMissing(details: Set(observations.compactMap(\.details)), history: history, now: now)
        return zip(reports, songs).map { report, song in
            var incoming = IncomingPlay(
                play: report.play, song: report.observation.song,
                clientID: report.observation.client.flatMap { clients[$0] },
                detailsID: report.observation.details.flatMap { details[$0] })
            incoming.play.songID = song
            return incoming
        }.sorted { $0.play.start < $1.play.start }
    }

    private func record(
        run: [IncomingPlay], history: Int64, userID: String, now: Timestamp
    ) throws -> (RecordCounts, DerivationWork) {
        var (counts, work) = (RecordCounts(), DerivationWork())
        var derivation = Rederivation(history: history, userID: userID)
        for incoming in run { derivation.saidKeys[incoming.play.songID] = incoming.song.key }
        let hours = ListenHours(around: run.map(\.play.start), margin: Rederivation.margin)
        let known = try plays(in: hours, history: history)
        work.rows += known.rows
        var repeats = Repeats(known.plays)
        let inCrowds = run.filter { known.crowded.contains(ListenHour(of: $0.play)) }
        let crowded = try knownPlays(inCrowds.map(\.play), history: history)
        work.rows += crowded.rows
        repeats.add(crowded.plays)
        var matching = SongMatching(try songs(repeats.songsToCompare(run.map(\.play)), history: history))
        matching.add(Dictionary(run.map { ($0.play.songID, $0.song) }, uniquingKeysWith: { known, _ in known }))
        var added: [IncomingPlay] = []
        let first = try nextKeys(run.count, now: now)
        for (offset, incoming) in run.enumerated() {
            if let former = repeats.former(of: incoming.play, &matching) {
                counts.repeated += 1
                try recordRepeat(of: former, by: incoming.play.importID, history: history)
                continue
            }
            var kept = incoming
            kept.play.id = first + Int64(offset)
            repeats.add(kept.play)
            added.append(kept)
        }
        work.comparisons += repeats.comparisons
        guard !added.isEmpty else { return (counts, work) }
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
            try transaction.run(insertObservation, values)
        }
        try recordUse(ofHistory: history, observations: added.count)
        counts.new += result.newListens
        counts.joined += added.count - result.newListens
        work += result.work
        work.writes += added.count
        return (counts, work)
    }

    /// In crowded hours, the observations that plays may repeat: those with identical songs, and the first ones with
    /// the same start.
    private func knownPlays(_ incoming: [Play], history: Int64) throws -> PlayWindow {
        var loaded = PlayWindow()
        let limit = 2 * Repeats.mostCompared
        for (start, plays) in Dictionary(grouping: incoming, by: \.start).sorted(by: { $0.key < $1.key }) {
            loaded.add(try self.plays(at: start, limit: limit, history: history))
            for song in Set(plays.map(\.songID)).sorted() {
                loaded.add(try self.plays(ofSong: song, at: start, limit: limit, history: history))
            }
        }
        var seen: Set<Int64> = []
        loaded.plays.removeAll { !seen.insert($0.id).inserted }
        return loaded
    }

    /// Records that an import, or another source, repeats a known observation.
    private func recordRepeat(of play: Play, by importID: Int64?, history: Int64) throws {
        // It may be a repeat of an observation that is added in the same transaction.
        guard let known = play.importID, known != importID else { return }
        guard let importID else {
            try transaction.run(
                """
                UPDATE listen_observations SET import_id = NULL
                WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
                """)
            return
        }
        try transaction.run(
            """
            INSERT INTO listen_repeats (history_id, import_id, started_at, observation_id)
            VALUES (\(history), \(importID), \(play.start), \(play.id)) ON CONFLICT DO NOTHING
            """)
    }
}

/// An observation on its way into the database.
private struct IncomingPlay {
    var play: Play
    let song: SongDescription
    let clientID: Int64?
    let detailsID: Int64?
}

extension Play {
    /// Creates the play that an observation reports, without the keys of the database.
    fileprivate init(_ observation: NewObservation, import importID: LibraryID?) {
        self.init(
            id: 0, source: observation.source, client: observation.client, songID: 0,
            time: observation.time.microseconds, stamp: observation.stamp, precision: observation.precision,
            playedMilliseconds: observation.playedMilliseconds,
            durationMilliseconds: observation.song.durationMilliseconds, sourceID: observation.sourceID,
            importID: importID?.key, isExported: observation.isExported)
    }
}
