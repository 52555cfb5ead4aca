import Model
import Storage

/// What is known of an artist or an area that concerts are looked up for.
package struct ConcertSubjectRecord: Sendable {
    package var key: String
    /// Ticketmaster's id of the artist, once it was learned.
    package var attractionID: String?
    /// How the last lookup that answered ended; `nil` before the first.
    package var status: String?
    /// What that answer lacks, although it counts.
    package var warningCode: String?
    package var checkedAt: Timestamp?
    /// When a search last asked for it, give or take an hour.
    package var askedAt: Timestamp
    /// The lookup that is under way.
    package var jobID: String?

    init(row: Row) throws {
        key = try row["subject_key"]
        attractionID = try row["attraction_id"]
        status = try row["status"]
        warningCode = try row["warning_code"]
        checkedAt = try row["checked_at"]
        askedAt = try row["asked_at"]
        jobID = try row["job_id"]
    }
}

extension ConcertStore {
    /// What is known of a subject. A lookup that has ended without a word does not count as under way.
    package func subject(key: String) throws -> ConcertSubjectRecord? {
        try transaction.row(
            """
            SELECT subject_key, attraction_id, concert_subjects.status, warning_code, checked_at, asked_at,
                jobs.id AS job_id
            FROM concert_subjects LEFT JOIN jobs
                ON jobs.id = concert_subjects.job_id AND jobs.finished_at IS NULL
            WHERE subject_key = \(key)
            """
        ).map(ConcertSubjectRecord.init)
    }

    /// The stored events of a subject by their ids, decoded one after the other: their texts are many times as large.
    package func events(subjectKey: String, limit: Int = .max) throws -> [ConcertEvent] {
        try transaction.map(
            """
            SELECT event FROM concert_subject_events JOIN concert_events ON concert_events.id = event_id
            WHERE subject_key = \(subjectKey) ORDER BY event_id LIMIT \(limit)
            """
        ) { try ConcertEvent(storage: try $0["event"]) }
    }

    /// Changes whenever an event of one of the subjects is stored, added or taken away; much cheaper than reading them.
    package func eventsStamp(subjectKeys: [String]) throws -> [Int64] {
        // The sum also sees a change that a clock put back hides from the latest time; it is of remainders, for
        // the sum of thousands of times would not fit.
        let row = try transaction.row(
            """
            SELECT COUNT(*) AS count, COALESCE(MAX(updated_at), 0) AS latest,
                COALESCE(SUM(updated_at % 1000000000), 0) AS remainders
            FROM concert_subject_events JOIN concert_events ON concert_events.id = event_id
            WHERE subject_key IN (\(list: subjectKeys))
            """)
        return try row.map { [try $0["count"], try $0["latest"], try $0["remainders"]] } ?? []
    }

    /// Events that no subject names any more. It looks at all events: not for the inside of a write.
    package func unusedEvents(limit: Int) throws -> [String] {
        try transaction.rows(
            """
            SELECT id FROM concert_events WHERE NOT EXISTS (
                SELECT 1 FROM concert_subject_events WHERE event_id = concert_events.id) LIMIT \(limit)
            """
        ).map { try $0["id"] }
    }

    /// Where a city lies, if that was found out after `cutoff`: `nil` when not, and a record
    /// without a point when its venues do not say.
    package func city(key: String, checkedAfter cutoff: Timestamp) throws -> ConcertCityRecord? {
        try transaction.row(
            "SELECT latitude, longitude FROM concert_cities WHERE city_key = \(key) AND checked_at > \(cutoff)"
        ).map { row in
            guard let latitude: Double = try row["latitude"], let longitude: Double = try row["longitude"] else {
                return ConcertCityRecord(point: nil)
            }
            return ConcertCityRecord(point: GeoPoint(latitude: latitude, longitude: longitude))
        }
    }
}

package struct ConcertCityRecord: Sendable {
    package var point: GeoPoint?
}

extension ConcertStore where Access == WriteTransaction {
    /// Notes that a subject is asked for, and that a lookup of it is under way.
    package func setLookup(subjectKey: String, jobID: String, now: Timestamp) throws {
        try transaction.execute(
            """
            INSERT INTO concert_subjects (subject_key, job_id, asked_at) VALUES (\(subjectKey), \(jobID), \(now))
            ON CONFLICT (subject_key) DO UPDATE SET job_id = excluded.job_id, asked_at = excluded.asked_at
            """)
    }

    /// Notes that a lookup is over, unless another has begun meanwhile.
    package func clearLookup(subjectKey: String, jobID: String) throws {
        try transaction.execute(
            "UPDATE concert_subjects SET job_id = NULL WHERE subject_key = \(subjectKey) AND job_id = \(jobID)")
    }

    /// Keeps an answer. A complete one takes the place of what was known; one with gaps adds to it.
    ///
    /// - Parameter events: ids with the encoded events.
    package func storeAnswer(
        subjectKey: String, status: String, warningCode: String?, attractionID: String?,
        events: [(id: String, event: String)], isComplete: Bool, now: Timestamp
    ) throws {
        if isComplete {
            try transaction.execute("DELETE FROM concert_subject_events WHERE subject_key = \(subjectKey)")
        }
        for (id, event) in events {
            try transaction.execute(
                """
                INSERT INTO concert_events (id, event, updated_at) VALUES (\(id), \(event), \(now))
                ON CONFLICT (id) DO UPDATE SET event = excluded.event, updated_at = excluded.updated_at
                """)
            try transaction.execute(
                """
                INSERT INTO concert_subject_events (subject_key, event_id) VALUES (\(subjectKey), \(id))
                ON CONFLICT (subject_key, event_id) DO NOTHING
                """)
        }
        try transaction.execute(
            """
            INSERT INTO concert_subjects (subject_key, attraction_id, status, warning_code, checked_at, asked_at)
            VALUES (\(subjectKey), \(attractionID), \(status), \(warningCode), \(isComplete ? now : nil), \(now))
            ON CONFLICT (subject_key) DO UPDATE SET
                attraction_id = COALESCE(excluded.attraction_id, concert_subjects.attraction_id),
                status = excluded.status, warning_code = excluded.warning_code,
                checked_at = COALESCE(excluded.checked_at, concert_subjects.checked_at)
            """)
    }

    package func storeCity(key: String, point: GeoPoint?, now: Timestamp) throws {
        try transaction.execute(
            """
            INSERT INTO concert_cities (city_key, latitude, longitude, checked_at)
            VALUES (\(key), \(point?.latitude), \(point?.longitude), \(now))
            ON CONFLICT (city_key) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
                checked_at = excluded.checked_at
            """)
    }

    /// Deletes those of `ids` that no subject names any more.
    package func pruneEvents(_ ids: [String]) throws {
        for id in ids {
            try transaction.execute(
                """
                DELETE FROM concert_events WHERE id = \(id)
                    AND NOT EXISTS (SELECT 1 FROM concert_subject_events WHERE event_id = \(id))
                """)
        }
    }
}
