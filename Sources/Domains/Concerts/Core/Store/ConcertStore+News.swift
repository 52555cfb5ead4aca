import Model
import Storage

extension ConcertStore {
    /// An event as it is stored, with when it was stored.
    struct FormerEvent {
        var text: String
        var storedAt: Timestamp
        var onSaleAt: Timestamp?
    }

    /// Those of the events that are stored, by id.
    func formerEvents(_ ids: [String]) throws -> [String: FormerEvent] {
        var found: [String: FormerEvent] = [:]
        var rest = ids[...]
        while !rest.isEmpty {
            // Far below the limit on bound values.
            let part = rest.prefix(500)
            rest = rest.dropFirst(part.count)
            let rows = try transaction.rows(
                "SELECT id, event, updated_at, on_sale_at FROM concert_events WHERE id IN (\(list: Array(part)))")
            for row in rows {
                found[try row["id"]] = FormerEvent(
                    text: try row["event"], storedAt: try row["updated_at"], onSaleAt: try row["on_sale_at"])
            }
        }
        return found
    }

    /// An event that a lookup has stored, and what happened to it; `nil` when it is unknown.
    package func event(id: String) throws -> (event: ConcertEvent, history: ShowHistory)? {
        let row = try transaction.row(
            """
            SELECT event, revision, changed_at, updated_at, first_seen_at, on_sale_at, moved_at, cancelled_at
            FROM concert_events WHERE id = \(id)
            """)
        guard let row else { return nil }
        var event = try ConcertEvent(storage: try row["event"])
        event.history = .init(revision: try row["revision"], changedAt: try row["changed_at"])
        let history = ShowHistory(
            firstSeenAt: try row["first_seen_at"], onSaleAt: try row["on_sale_at"], movedAt: try row["moved_at"],
            cancelledAt: try row["cancelled_at"], checkedAt: try row["updated_at"], news: try news(ofEvent: id))
        return (event, history)
    }

    /// What happened to an event, the latest first, at most 100.
    package func news(ofEvent id: String) throws -> [ShowNews] {
        try transaction.rows(
            """
            SELECT \(ShowNews.columns) FROM concert_news WHERE event_id = \(id) ORDER BY revision DESC LIMIT 100
            """
        ).map(ShowNews.init)
    }

    /// The numbers of the latest news of events, by event. Events without news are left out.
    ///
    /// - Parameter ids: at most 500.
    package func latestNews(ofEvents ids: [String]) throws -> [String: Int64] {
        try transaction.rows(
            """
            SELECT event_id, MAX(number) AS number FROM concert_news WHERE event_id IN (\(list: ids)) GROUP BY event_id
            """
        ).reduce(into: [:]) { numbers, row in numbers[try row["event_id"]] = try row["number"] as Int64 }
    }

    /// News with their events, by number. Those whose event is unknown are left out.
    package func news(_ numbers: [Int64]) throws -> [Int64: (news: ShowNews, event: ConcertEvent)] {
        guard !numbers.isEmpty else { return [:] }
        let rows = try transaction.rows(
            """
            SELECT \(ShowNews.columns), event FROM concert_news
                JOIN concert_events ON concert_events.id = concert_news.event_id
            WHERE number IN (\(list: numbers))
            """)
        return try rows.reduce(into: [:]) { found, row in
            let news = try ShowNews(row: row)
            found[news.number] = (news, try ConcertEvent(storage: try row["event"]))
        }
    }

    /// The subjects of an event, such as the artists who play and the areas that it is in.
    package func subjectKeys(ofEvent id: String, limit: Int) throws -> [String] {
        try transaction.rows(
            """
            SELECT subject_key FROM concert_subject_events WHERE event_id = \(id) ORDER BY subject_key LIMIT \(limit)
            """
        ).map { try $0["subject_key"] }
    }
}

extension ConcertStore where Access == WriteTransaction {
    /// Compares an event with what was stored of it, and stores the difference if people want to know of it.
    ///
    /// - Returns: the news; `nil` when there is none, or when the event is new.
    func recordDifference(
        of stored: StoredConcertEvent, from former: FormerEvent?, names: CityNames, now: Timestamp
    ) throws -> ShowNews? {
        guard let event = stored.event, let former else { return nil }
        let isFirstSale = former.onSaleAt == nil && event.isOnSale(at: now)
        // A sale can begin without any change of the record.
        guard isFirstSale || former.text != stored.text, let earlier = try? ConcertEvent(storage: former.text) else {
            return nil
        }
        if isFirstSale { try setMoment("on_sale_at", ofEvent: event.id, now) }
        let difference = ShowDifference(
            from: earlier, storedAt: former.storedAt, to: event, wasOnSale: !isFirstSale, now: now, names: names)
        guard let difference else { return nil }
        switch difference.reason {
        case .moved, .postponed: try setMoment("moved_at", ofEvent: event.id, now)
        case .cancelled: try setMoment("cancelled_at", ofEvent: event.id, now)
        case .announced, .onSale, .reinstated: break
        }
        return try insertNews(difference.reason, ofEvent: event.id, changes: difference.changes, now: now)
    }

    private func setMoment(_ column: SQL, ofEvent id: String, _ moment: Timestamp) throws {
        try transaction.run("UPDATE concert_events SET \(column) = \(moment) WHERE id = \(id)")
    }

    /// What timelines show of an event that a topic has not shown before: the latest news of it, or its announcement.
    func announcement(ofEvent id: String, now: Timestamp) throws -> ShowNews {
        let latest = try transaction.row(
            "SELECT \(ShowNews.columns) FROM concert_news WHERE event_id = \(id) ORDER BY revision DESC LIMIT 1")
        return try latest.map(ShowNews.init) ?? insertNews(.announced, ofEvent: id, changes: [], now: now)
    }

    private func insertNews(
        _ reason: NewsReason, ofEvent id: String, changes: [ShowChange], now: Timestamp
    ) throws -> ShowNews {
        let last: Int? = try transaction.row("SELECT MAX(revision) AS last FROM concert_news WHERE event_id = \(id)")?[
            "last"]
        // The first revision is the announcement, even if no timeline shows it.
        let revision = reason == .announced ? 1 : max(last ?? 1, 1) + 1
        let news = ShowNews(
            number: try transaction.nextChange(), eventID: id, revision: revision, reason: reason, at: now,
            changes: changes)
        try transaction.run(
            """
            INSERT INTO concert_news (number, event_id, revision, reason, at, changes)
            VALUES (\(news.number), \(news.eventID), \(news.revision), \(news.reason), \(news.at),
                \(try ShowNews.stored(news.changes)))
            """)
        return news
    }
}
