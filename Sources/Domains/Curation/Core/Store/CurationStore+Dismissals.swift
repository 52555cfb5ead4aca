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
            """
        ) { row in
            let (title, artist): (String?, String?) = (try row["title"], try row["artist"])
            guard let title, let artist else { return Dismissal(reference: try row["reference"]) }
            return Dismissal(
                reference: try row["reference"],
                song: IdentityRecord(
                    title: title, artist: artist, album: (try row["album"] as String?) ?? "",
                    durationMs: try row["duration_ms"], isrc: try row["isrc"]))
        }
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

extension CurationStore where Access == WriteTransaction {
    /// The most dismissals that are stored for a person; beyond that the oldest are deleted.
    private static var mostDismissals: Int { 5_000 }

    package func dismiss(_ dismissal: Dismissal, userID: String, now: Timestamp) throws {
        let song = dismissal.song
        try transaction.run(
            """
            INSERT INTO curation_dismissals
                (user_id, reference, title, artist, album, duration_ms, isrc, dismissed_at)
            VALUES (
                \(userID), \(dismissal.reference), \(song?.title), \(song?.artist), \(song?.album),
                \(song?.durationMs), \(song?.isrc), \(now)
            ) ON CONFLICT (user_id, reference) DO NOTHING
            """)
        try hideRecommendations(of: dismissal, userID: userID, now: now)
        for forgotten in try dismissals(userID: userID).dropFirst(Self.mostDismissals) {
            try deleteDismissal(of: forgotten.reference, userID: userID)
        }
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
