import Contracts
import Model
import Storage

extension CurationStore {
    /// The songs that a person does not want in lists, as edits name them.
    package func dismissals(userID: String) throws -> [String] {
        try transaction.map(
            "SELECT reference FROM curation_dismissals WHERE user_id = \(userID) ORDER BY dismissed_at DESC, reference"
        ) { try $0["reference"] }
    }

    /// Songs of a person's lists by their names in them; those that are in no list that is kept are left out.
    package func tracks(named references: Set<String>, userID: String) throws -> [String: CuratedTrack] {
        guard !references.isEmpty else { return [:] }
        var found: [String: CuratedTrack] = [:]
        try transaction.forEachRow("SELECT track FROM curated_tracks WHERE user_id = \(userID)") { row in
            let track: CuratedTrack = try JSONColumn.decode(try row["track"], column: "track")
            if references.contains(track.reference) { found[track.reference] = track }
            return found.count == references.count ? .stop : .goOn
        }
        return found
    }
}

extension CurationStore where Access == WriteTransaction {
    /// The most songs that are kept for a person; beyond it the oldest is forgotten.
    private static var mostDismissals: Int { 5_000 }

    package func dismiss(_ reference: String, userID: String, now: Timestamp) throws {
        try transaction.execute(
            """
            INSERT INTO curation_dismissals (user_id, reference, dismissed_at)
            VALUES (\(userID), \(reference), \(now)) ON CONFLICT (user_id, reference) DO NOTHING
            """)
        for forgotten in try dismissals(userID: userID).dropFirst(Self.mostDismissals) {
            try takeBackDismissal(of: forgotten, userID: userID)
        }
    }

    package func takeBackDismissal(of reference: String, userID: String) throws {
        try transaction.execute(
            "DELETE FROM curation_dismissals WHERE user_id = \(userID) AND reference = \(reference)")
    }

    /// Has a person's recommendations made anew from now on.
    ///
    /// - Parameter interval: `nil` where they are made on request alone.
    package func scheduleRecommendations(every interval: Duration?, userID: String, now: Timestamp) throws {
        let kind = TypedJobKind.curationRecommend.kind.name
        guard let interval else { return try transaction.jobs.removeSchedule(kind: kind, userID: userID) }
        try transaction.jobs.setSchedule(kind: kind, userID: userID, every: interval, now: now)
    }
}

extension CurationStore where Access == ReadTransaction {
    /// The ids of people who have asked for recommendations since a moment that sort after a text, in their order.
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
