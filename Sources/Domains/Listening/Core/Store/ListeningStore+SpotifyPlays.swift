import Contracts
import JobStorage
import Model
import Storage

extension ListeningStore where Access == WriteTransaction {
    /// Records the plays in Spotify's list of recently played songs, and a gap if the list does not reach back to the
    /// last play that it had before.
    package func record(_ recent: SpotifyPlays, userID: String, now: Timestamp) throws -> RecordCounts {
        let history = try openHistory(ofUser: userID, now: now)
        let row = try transaction.row(
            "SELECT newest_at, left_out_until FROM listen_spotify_reads WHERE history_id = \(history)")
        let newest: Timestamp? = try row?["newest_at"]
        let leftOut: Timestamp? = try row?["left_out_until"]
        try recordContact(.spotifyRecent, userID: userID, now: now)
        guard let last = recent.plays.last?.endedAt else { return RecordCounts() }
        let read = SpotifyPlays(
            recent.plays.filter { play in leftOut.map { play.endedAt > $0 } ?? true }, isFull: recent.isFull)
        let known = newest.flatMap { newest in recent.plays.contains { $0.endedAt <= newest } ? nil : newest }
        let counts = try record(read.observations(after: known), userID: userID, now: now)
        if recent.isFull, let known, let first = recent.plays.first?.endedAt {
            try transaction.run(
                """
                INSERT INTO listen_gaps (history_id, source, from_at, to_at)
                VALUES (\(history), \(ListenSource.spotifyRecent.number), \(known), \(first)) ON CONFLICT DO NOTHING
                """)
        }
        try transaction.run(
            """
            INSERT INTO listen_spotify_reads (history_id, newest_at) VALUES (\(history), \(last))
            ON CONFLICT (history_id) DO UPDATE SET newest_at = excluded.newest_at
            WHERE listen_spotify_reads.newest_at IS NULL OR listen_spotify_reads.newest_at < excluded.newest_at
            """)
        return counts
    }

    /// Ignores what Spotify's list has reported before and the person has removed: everything up to the newest play.
    /// This does not depend on the clock, so a clock that is ahead does not cause later plays to be ignored.
    func ignoreKnownPlays(ofHistory history: Int64) throws {
        try transaction.run(
            "UPDATE listen_spotify_reads SET left_out_until = newest_at WHERE history_id = \(history)")
    }

    /// Schedules the reading of a person's plays, unless it is scheduled already. Call it in the transaction that
    /// connects Spotify.
    package func scheduleReading(every interval: Duration, userID: String, now: Timestamp) throws {
        let kind = TypedJobKind.listeningReadSpotify.kind.name
        guard try transaction.jobs.schedule(kind: kind, userID: userID) == nil else { return }
        try transaction.jobs.setSchedule(kind: kind, userID: userID, every: interval, now: now)
    }

    /// Sets the time until the next read, unless Spotify was disconnected meanwhile.
    package func reschedule(every interval: Duration, userID: String, now: Timestamp) throws {
        let kind = TypedJobKind.listeningReadSpotify.kind.name
        guard try transaction.jobs.schedule(kind: kind, userID: userID) != nil else { return }
        try transaction.jobs.setSchedule(kind: kind, userID: userID, every: interval, now: now)
    }

    package func endReading(userID: String) throws {
        try transaction.jobs.removeSchedule(kind: TypedJobKind.listeningReadSpotify.kind.name, userID: userID)
    }
}

extension ListeningStore {
    /// The periods for which sources could not report all plays, the latest first, at most 100. A gap into which one of
    /// Spotify's exports reaches no longer counts.
    package func gaps(userID: String) throws -> [ListenGap] {
        guard let history = try historyID(ofUser: userID) else { return [] }
        let exports = ListenSource.spotifyHistory.bit | ListenSource.spotifyAccountData.bit
        return try transaction.map(
            """
            SELECT source, from_at, to_at FROM listen_gaps g
            WHERE history_id = \(history) AND NOT EXISTS (
                SELECT 1 FROM listens l WHERE l.history_id = \(history) AND l.started_at >= g.from_at
                    AND l.started_at < g.to_at AND (l.sources & \(exports)) <> 0)
            ORDER BY from_at DESC LIMIT 100
            """
        ) { row -> ListenGap? in
            try ListenSource(number: try row["source"]).map {
                ListenGap(source: $0, from: try row["from_at"], to: try row["to_at"])
            }
        }.compactMap { $0 }
    }
}

/// A period for which a source could not report all plays.
package struct ListenGap: Sendable, Hashable {
    package let source: ListenSource
    package let from: Timestamp
    package let to: Timestamp
}
