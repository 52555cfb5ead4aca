import Contracts
import Identity
import JobStorage
import Model
import Storage

/// A song that a person does not want in lists.
package struct Dismissal: Sendable, Hashable {
    /// The song as edits name it.
    package var reference: String
    /// The song's description, independent of its name in edits; `nil` if it was not known.
    package var song: IdentityRecord?

    package init(reference: String, song: IdentityRecord? = nil) { (self.reference, self.song) = (reference, song) }
}

extension CurationStore {
    /// The songs that a person does not want in lists, the latest first.
    package func dismissals(userID: String) throws -> [Dismissal] {
        try transaction.map(
            """
            SELECT reference, title, artist, album, duration_ms, isrc FROM curation_dismissals
            WHERE user_id = \(userID) ORDER BY dismissed_at DESC, reference
            """, Dismissal.init(row:))
    }

    /// A person's dismissal of a song; `nil` if there is none.
    package func dismissal(of reference: String, userID: String) throws -> Dismissal? {
        try transaction.row(
            """
            SELECT reference, title, artist, album, duration_ms, isrc FROM curation_dismissals
            WHERE user_id = \(userID) AND reference = \(reference)
            """
        ).map(Dismissal.init(row:))
    }

    /// The songs in a person's lists by their references. Songs that are not in any stored list are left out.
    package func tracks(named references: Set<String>, userID: String) throws -> [String: CuratedTrack] {
        guard !references.isEmpty else { return [:] }
        var found: [String: CuratedTrack] = [:]
        try transaction.forEachRow("SELECT track FROM curated_tracks WHERE user_id = \(userID)") { row in
            let track: CuratedTrack = try JSONColumn.decode(try row["track"], column: "track")
            if references.contains(track.reference) { found[track.reference] = track }
            return found.count == references.count ? .stop : .continue
        }
        return found
    }
}

extension Dismissal {
    fileprivate init(row: Row) throws {
        reference = try row["reference"]
        let (title, artist): (String?, String?) = (try row["title"], try row["artist"])
        guard let title, let artist else { return }
        song = IdentityRecord(
            title: title, artist: artist, album: (try row["album"] as String?) ?? "",
            durationMs: try row["duration_ms"], isrc: try row["isrc"])
    }
}

extension CurationStore where Access == WriteTransaction {
    /// The most dismissals that are stored for a person; beyond that the oldest are deleted.
    static var mostDismissals: Int { 5_000 }

    /// Stores a dismissal, and hides the song's recommendations. A song that is dismissed stays as it is.
    ///
    /// - Parameter found: the song's recommendations, from before the transaction.
    package func dismiss(
        _ dismissal: Dismissal, hiding found: DismissedRecommendations, userID: String, now: Timestamp
    ) throws {
        let song = dismissal.song
        let inserted = try transaction.execute(
            """
            INSERT INTO curation_dismissals
                (user_id, reference, title, artist, album, duration_ms, isrc, dismissed_at)
            VALUES (
                \(userID), \(dismissal.reference), \(song?.title), \(song?.artist), \(song?.album),
                \(song?.durationMs), \(song?.isrc), \(now)
            ) ON CONFLICT (user_id, reference) DO NOTHING
            """)
        guard inserted == 1 else { return }
        try hideRecommendations(found, of: dismissal, userID: userID, now: now)
        let forgotten = try transaction.map(
            """
            SELECT reference FROM curation_dismissals WHERE user_id = \(userID)
            ORDER BY dismissed_at DESC, reference LIMIT 10 OFFSET \(Self.mostDismissals)
            """
        ) { try $0["reference"] as String }
        for reference in forgotten { try deleteDismissal(of: reference, userID: userID) }
    }

    package func deleteDismissal(of reference: String, userID: String) throws {
        try transaction.run(
            "DELETE FROM curation_dismissals WHERE user_id = \(userID) AND reference = \(reference)")
        try showRecommendations(hiddenBy: reference, userID: userID)
    }

    /// Schedules new recommendations for a person from now on.
    ///
    /// - Parameter interval: the time between them; `nil` if they are made only on request.
    package func scheduleRecommendations(every interval: Duration?, userID: String, now: Timestamp) throws {
        let kind = TypedJobKind.curationRecommend.kind.name
        guard let interval else { return try transaction.jobs.removeSchedule(kind: kind, userID: userID) }
        try transaction.jobs.setSchedule(kind: kind, userID: userID, every: interval, now: now)
    }
}

extension CurationStore where Access == ReadTransaction {
    /// The ids of people who have asked for recommendations since a given time, in ascending order, after a given id.
    package func peopleWantingRecommendations(since moment: Timestamp, after: String, limit: Int) throws -> [String] {
        try transaction.map(
            """
            SELECT DISTINCT user_id FROM curated_lists
            WHERE user_id > \(after) AND kind = 'recommendations' AND is_scheduled = 0 AND created_at >= \(moment)
            ORDER BY user_id LIMIT \(limit)
            """
        ) { try $0["user_id"] }
    }
}
