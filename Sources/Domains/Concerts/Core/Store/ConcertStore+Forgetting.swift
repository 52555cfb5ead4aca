import Model
import Storage

/// Targets and cities that no search has recently asked for.
extension ConcertStore {
    /// Targets that no search has asked for since `cutoff` and that have no lookup under way, with the number of their
    /// events. The one that was asked for longest ago comes first.
    ///
    /// - Parameter areArtists: `true` finds artists with a known attraction, `false` areas and names without an
    ///   attraction.
    func unusedTargets(
        areArtists: Bool, askedBefore cutoff: PruningTime, limit: Int
    ) throws -> [(key: String, events: Int)] {
        let condition: SQL = areArtists ? "attraction_id IS NOT NULL" : "attraction_id IS NULL"
        return try transaction.rows(
            """
            SELECT subject_key, (
                SELECT COUNT(*) FROM concert_subject_events AS events
                WHERE events.subject_key = concert_subjects.subject_key) AS events
            FROM concert_subjects WHERE \(condition) AND asked_at < \(cutoff.moment)
                AND NOT EXISTS (
                    SELECT 1 FROM jobs WHERE jobs.id = concert_subjects.job_id AND jobs.finished_at IS NULL)
            ORDER BY asked_at LIMIT \(limit)
            """
        ).map { (key: try $0["subject_key"], events: try $0["events"]) }
    }
}

extension ConcertStore where Access == WriteTransaction {
    /// Records that a search asked for a target.
    func recordRequest(targetKey: String, now: Timestamp) throws {
        try transaction.run("UPDATE concert_subjects SET asked_at = \(now) WHERE subject_key = \(targetKey)")
    }

    /// Deletes a target, together with the events that no other target has, unless a search has asked for it since
    /// `cutoff` or a lookup is under way.
    ///
    /// - Returns: whether it was deleted.
    func deleteTarget(key: String, askedBefore cutoff: PruningTime) throws -> Bool {
        let deleted = try transaction.execute(
            """
            DELETE FROM concert_subjects WHERE subject_key = \(key) AND asked_at < \(cutoff.moment)
                AND NOT EXISTS (
                    SELECT 1 FROM jobs WHERE jobs.id = concert_subjects.job_id AND jobs.finished_at IS NULL)
            """)
        guard deleted == 1 else { return false }
        let events = try transaction.rows(
            "DELETE FROM concert_subject_events WHERE subject_key = \(key) RETURNING event_id"
        ).map { try $0["event_id"] as String }
        try pruneEvents(events)
        return true
    }

    /// Deletes the points of cities that were computed before `cutoff`.
    ///
    /// - Returns: how many.
    func forgetCities(checkedBefore cutoff: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM concert_cities WHERE city_key IN (
                SELECT city_key FROM concert_cities WHERE checked_at < \(cutoff.moment)
                ORDER BY checked_at LIMIT \(limit))
            """)
    }
}
