import Model
import Storage

/// The listings of people's calendars.
extension ConcertStore {
    /// The most listings of an artist that are read for a calendar.
    private static var listingLimit: Int { 1_000 }
    /// How many days before a show the last lookup may have found it, so that it counts as having taken place.
    private static var daysUnseen: Int { 3 }

    /// The listings of an artist: those that lookups find, those that they have lost since they were cancelled, and those
    /// of shows that are over.
    ///
    /// A listing that disappears before its day, and was not cancelled, may have been a mistake of the seller: it is
    /// neither coming nor over.
    func calendarListings(of watched: WatchedTopic, within window: CalendarWindow) throws -> [CalendarListing] {
        let (key, topic) = (watched.subjectKey, watched.topic.name)
        let found = try transaction.map(
            """
            SELECT \(CalendarListing.columns), concert_topic_shows.known_at AS represents_since
            FROM concert_subject_events JOIN concert_events ON concert_events.id = concert_subject_events.event_id
                LEFT JOIN concert_topic_shows ON concert_topic_shows.topic = \(topic)
                AND concert_topic_shows.event_id = concert_subject_events.event_id AND concert_topic_shows.is_main = 1
            WHERE concert_subject_events.subject_key = \(key)
            ORDER BY concert_subject_events.event_id LIMIT \(Self.listingLimit)
            """, CalendarListing.init)
        let lost = try transaction.map(
            """
            SELECT \(CalendarListing.columns), concert_topic_shows.known_at AS represents_since
            FROM concert_topic_shows JOIN concert_events ON concert_events.id = concert_topic_shows.event_id
            WHERE concert_topic_shows.topic = \(topic) AND concert_topic_shows.is_main = 1
                AND (concert_events.cancelled_at >= \(window.since)
                    OR (concert_topic_shows.day >= \(window.firstDay) AND concert_topic_shows.day <= \(window.today)
                        AND concert_events.updated_at >= (concert_topic_shows.day - \(Self.daysUnseen)) * 86400000000))
                AND NOT EXISTS (
                    SELECT 1 FROM concert_subject_events
                        JOIN concert_topics ON concert_topics.subject_key = concert_subject_events.subject_key
                    WHERE concert_subject_events.event_id = concert_topic_shows.event_id
                        AND concert_topics.topic = concert_topic_shows.topic)
            ORDER BY concert_topic_shows.event_id LIMIT \(Self.listingLimit)
            """, CalendarListing.init)
        let tomorrow = LocalDate(dayNumber: window.today + 1)
        // A listing that is no longer cancelled has disappeared for another reason.
        return found + lost.filter { $0.event.status == .cancelled || $0.event.isPast(tomorrow) }
    }

    /// The days that events had before they were postponed or cancelled, by event.
    ///
    /// - Parameter moment: since when that may have happened.
    func formerDays(ofEvents ids: [String], since moment: Timestamp) throws -> [String: LocalDate] {
        var found: [String: LocalDate] = [:]
        var rest = ids[...]
        while !rest.isEmpty {
            // Far below the limit on bound values.
            let part = rest.prefix(500)
            rest = rest.dropFirst(part.count)
            let news = try transaction.map(
                """
                SELECT \(ShowNews.columns) FROM concert_news
                WHERE event_id IN (\(list: Array(part))) AND at >= \(moment)
                    AND reason IN (\(NewsReason.postponed), \(NewsReason.cancelled))
                ORDER BY event_id, revision
                """, ShowNews.init)
            for news in news {
                let former = news.changes.first { $0.field == .date && $0.to == nil }?.from
                if let day = former.flatMap({ LocalDate($0) }) { found[news.eventID] = day }
            }
        }
        return found
    }
}

extension CalendarListing {
    fileprivate static let columns = SQL(
        """
        concert_events.event, concert_events.revision, concert_events.changed_at, concert_events.first_seen_at,
        concert_events.cancelled_at
        """)

    fileprivate init(row: Row) throws {
        event = try ConcertEvent(storage: try row["event"])
        event.history = .init(revision: try row["revision"], changedAt: try row["changed_at"])
        firstSeenAt = try row["first_seen_at"]
        cancelledAt = try row["cancelled_at"]
        representsSince = try row["represents_since"]
    }
}
