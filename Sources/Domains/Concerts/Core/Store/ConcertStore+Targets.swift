import Model
import Storage

/// An artist or an area with its last answer: a row of `concert_subjects`.
package struct LookupTargetRecord: Sendable {
    package var key: String
    /// Ticketmaster's id of the artist, once a lookup has found it.
    package var attractionID: String?
    /// The coverage of the last answer (``SearchOutcome/Coverage``); `nil` before the first.
    package var status: String?
    /// The warning of that answer.
    package var warningCode: String?
    /// When the last complete answer was stored.
    package var checkedAt: Timestamp?
    /// When a search last asked for the target; may be up to an hour too early.
    package var askedAt: Timestamp
    /// The lookup that is under way.
    package var jobID: String?
    /// When a lookup last searched for the artist's name.
    package var nameSearchedAt: Timestamp?

    init(row: Row) throws {
        key = try row["subject_key"]
        attractionID = try row["attraction_id"]
        status = try row["status"]
        warningCode = try row["warning_code"]
        checkedAt = try row["checked_at"]
        askedAt = try row["asked_at"]
        jobID = try row["job_id"]
        nameSearchedAt = try row["name_searched_at"]
    }
}

/// What an answer says about the events stored for its target.
package enum AnswerReach: Sendable {
    /// All events of the target were requested: those that the answer lacks are gone.
    case everything
    /// The events of the attraction were requested, but not those that only a name finds.
    case attraction
    /// Some events may be missing.
    case some
}

extension ConcertStore {
    /// A target by its key. Its `jobID` is `nil` when that job has ended.
    package func target(key: String) throws -> LookupTargetRecord? {
        try transaction.row(
            """
            SELECT subject_key, attraction_id, concert_subjects.status, warning_code, checked_at, asked_at,
                name_searched_at, jobs.id AS job_id
            FROM concert_subjects LEFT JOIN jobs
                ON jobs.id = concert_subjects.job_id AND jobs.finished_at IS NULL
            WHERE subject_key = \(key)
            """
        ).map(LookupTargetRecord.init)
    }

    /// The stored events of a target, in the order of their ids. They are decoded row by row, because their JSON needs
    /// many times the memory.
    package func events(targetKey: String, limit: Int = .max) throws -> [ConcertEvent] {
        try transaction.map(
            """
            SELECT event, revision, changed_at
            FROM concert_subject_events JOIN concert_events ON concert_events.id = event_id
            WHERE subject_key = \(targetKey) ORDER BY event_id LIMIT \(limit)
            """
        ) { row in
            var event = try ConcertEvent(storage: try row["event"])
            event.history = .init(revision: try row["revision"], changedAt: try row["changed_at"])
            return event
        }
    }

    /// A value that changes whenever an event of the targets is stored, added or removed. It is much cheaper than
    /// reading the events.
    package func eventsStamp(targetKeys: [String]) throws -> [Int64] {
        // If the clock was set back, a change may not increase the latest time, but it changes the sum. The sum is of
        // remainders because a sum of thousands of times would overflow.
        let row = try transaction.row(
            """
            SELECT COUNT(*) AS count, COALESCE(MAX(updated_at), 0) AS latest,
                CAST(COALESCE(SUM(updated_at % 1000000000), 0) AS BIGINT) AS remainders
            FROM concert_subject_events JOIN concert_events ON concert_events.id = event_id
            WHERE subject_key IN (\(list: targetKeys))
            """)
        return try row.map { [try $0["count"], try $0["latest"], try $0["remainders"]] } ?? []
    }

    /// The ids of events that neither a target nor a topic has. This scans all events: do not call it in a write transaction.
    package func unusedEvents(limit: Int) throws -> [String] {
        try transaction.rows(
            """
            SELECT id FROM concert_events WHERE NOT EXISTS (
                SELECT 1 FROM concert_subject_events WHERE event_id = concert_events.id)
                AND NOT EXISTS (SELECT 1 FROM concert_topic_shows WHERE event_id = concert_events.id)
            LIMIT \(limit)
            """
        ).map { try $0["id"] }
    }

    /// The point of a city, if a lookup computed it after `cutoff`. A record without a point is a city none of whose
    /// venues has a location.
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

/// An event as an answer stores it.
package struct StoredConcertEvent: Sendable {
    package var id: String
    /// The encoded event.
    package var text: String
    package var announcement: String
    /// Whether the event is only found by searching for the name.
    package var isFoundByName: Bool
    /// The event itself, which is compared with what was stored before; `nil` compares nothing.
    var event: ConcertEvent?

    package init(id: String, text: String, announcement: String = "", isFoundByName: Bool = false) {
        self.id = id
        self.text = text
        self.announcement = announcement
        self.isFoundByName = isFoundByName
    }

    package init(_ event: ConcertEvent, isFoundByName: Bool = false) throws {
        self.init(
            id: event.id, text: try event.encodedForStorage(), announcement: event.announcement,
            isFoundByName: isFoundByName)
        self.event = event
    }
}

package struct ConcertCityRecord: Sendable {
    package var point: GeoPoint?
}

extension ConcertStore where Access == WriteTransaction {
    /// Records that a search asked for a target and that a lookup for it is under way.
    package func setLookup(targetKey: String, jobID: String, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO concert_subjects (subject_key, job_id, asked_at) VALUES (\(targetKey), \(jobID), \(now))
            ON CONFLICT (subject_key) DO UPDATE SET job_id = excluded.job_id, asked_at = excluded.asked_at
            """)
    }

    /// Records that a lookup has ended, unless another one has begun in the meantime.
    package func clearLookup(targetKey: String, jobID: String) throws {
        try transaction.run(
            "UPDATE concert_subjects SET job_id = NULL WHERE subject_key = \(targetKey) AND job_id = \(jobID)")
    }

    /// Stores an answer. An answer that reaches everything, or everything of the attraction, replaces the events that
    /// it reaches; any other answer adds to them.
    ///
    /// Events found by a name stay until a later search by the name no longer finds them or, if such a search cannot
    /// prove this, for ``NameSearches/lifetime`` after they were last found.
    ///
    /// - Parameters:
    ///   - searchedName: whether the artist's name was searched for.
    ///   - cityNames: by which halls are compared.
    /// - Returns: what happened to events that were stored before.
    @discardableResult
    package func storeAnswer(
        targetKey: String, status: String, warningCode: String?, attractionID: String?, events: [StoredConcertEvent],
        reach: AnswerReach, searchedName: Bool = false, cityNames: CityNames = .builtIn, now: Timestamp
    ) throws -> [ShowNews] {
        switch reach {
        case .everything:
            try transaction.run("DELETE FROM concert_subject_events WHERE subject_key = \(targetKey)")
        case .attraction:
            try transaction.run(
                "DELETE FROM concert_subject_events WHERE subject_key = \(targetKey) AND by_name = 0")
        case .some: break
        }
        let former = try formerEvents(events.map(\.id))
        var news: [ShowNews] = []
        var stored: Set<String> = []
        for event in events where stored.insert(event.id).inserted {
            try store(event, targetKey: targetKey, now: now)
            if let new = try recordDifference(of: event, from: former[event.id], names: cityNames, now: now) {
                news.append(new)
            }
        }
        if reach != .everything {
            try transaction.run(
                """
                DELETE FROM concert_subject_events WHERE subject_key = \(targetKey) AND by_name = 1 AND EXISTS (
                    SELECT 1 FROM concert_events WHERE concert_events.id = event_id
                        AND updated_at < \(now.advanced(by: .zero - NameSearches.lifetime)))
                """)
        }
        try transaction.run(
            """
            INSERT INTO concert_subjects (
                subject_key, attraction_id, status, warning_code, checked_at, asked_at, name_searched_at)
            VALUES (
                \(targetKey), \(attractionID), \(status), \(warningCode), \(reach == .some ? nil : now), \(now),
                \(searchedName ? now : nil))
            ON CONFLICT (subject_key) DO UPDATE SET
                attraction_id = COALESCE(excluded.attraction_id, concert_subjects.attraction_id),
                status = excluded.status, warning_code = excluded.warning_code,
                checked_at = COALESCE(excluded.checked_at, concert_subjects.checked_at),
                name_searched_at = COALESCE(excluded.name_searched_at, concert_subjects.name_searched_at)
            """)
        return news
    }

    /// Stores an event, and counts a change of the details that calendars show.
    private func store(_ event: StoredConcertEvent, targetKey: String, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO concert_events (id, event, updated_at, announcement, first_seen_at, on_sale_at)
            VALUES (\(event.id), \(event.text), \(now), \(event.announcement), \(now),
                \(event.event?.isOnSale(at: now) == true ? now : nil))
            ON CONFLICT (id) DO UPDATE SET
                revision = concert_events.revision
                    + CASE WHEN concert_events.announcement <> excluded.announcement THEN 1 ELSE 0 END,
                changed_at = CASE WHEN concert_events.announcement <> excluded.announcement
                    THEN excluded.updated_at ELSE concert_events.changed_at END,
                event = excluded.event, updated_at = excluded.updated_at, announcement = excluded.announcement
            """)
        try transaction.run(
            """
            INSERT INTO concert_subject_events (subject_key, event_id, by_name)
            VALUES (\(targetKey), \(event.id), \(event.isFoundByName ? 1 : 0))
            ON CONFLICT (subject_key, event_id) DO UPDATE SET by_name = excluded.by_name
            """)
    }

    package func storeCity(key: String, point: GeoPoint?, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO concert_cities (city_key, latitude, longitude, checked_at)
            VALUES (\(key), \(point?.latitude), \(point?.longitude), \(now))
            ON CONFLICT (city_key) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
                checked_at = excluded.checked_at
            """)
    }

    /// Deletes those events of `ids` that neither a target nor a topic has any longer, with what happened to them.
    package func pruneEvents(_ ids: [String]) throws {
        for id in ids {
            let deleted = try transaction.execute(
                """
                DELETE FROM concert_events WHERE id = \(id)
                    AND NOT EXISTS (SELECT 1 FROM concert_subject_events WHERE event_id = \(id))
                    AND NOT EXISTS (SELECT 1 FROM concert_topic_shows WHERE event_id = \(id))
                """)
            if deleted == 1 { try transaction.run("DELETE FROM concert_news WHERE event_id = \(id)") }
        }
    }
}
