import Model
import Storage

/// What happened to a show, so that it appears in feeds.
package enum NewsReason: Int64, Sendable, CaseIterable, SQLConvertible {
    /// A lookup found it for the first time.
    case announced = 1
    /// Tickets are sold to the public for the first time.
    case onSale = 2
    /// It has another day, time or hall.
    case moved = 3
    /// It will take place on a day that is not known yet.
    case postponed = 4
    case cancelled = 5
    /// It takes place although it was cancelled or postponed, on the announced day.
    case reinstated = 6

    /// The name in the API.
    package var name: String {
        switch self {
        case .announced: "announced"
        case .onSale: "onSale"
        case .moved: "moved"
        case .postponed: "postponed"
        case .cancelled: "cancelled"
        case .reinstated: "reinstated"
        }
    }
}

/// A detail of a show that has changed. Unknown values are `nil`.
package struct ShowChange: Hashable, Sendable, Codable {
    package enum Field: String, Sendable, Codable {
        /// `YYYY-MM-DD`.
        case date
        /// `HH:mm:ss`.
        case time
        /// The hall with its city.
        case venue
        /// In Ticketmaster's terms (``ConcertStatus/code``).
        case status
    }

    package var field: Field
    package var from: String?
    package var to: String?

    package init(_ field: Field, from: String?, to: String?) {
        (self.field, self.from, self.to) = (field, from, to)
    }
}

/// The difference between two states of an event, if people want to know of it.
package struct ShowDifference: Hashable, Sendable {
    package var reason: NewsReason
    package var changes: [ShowChange]

    /// - Parameters:
    ///   - former: the event as it was stored at `storedAt`.
    ///   - wasOnSale: whether any lookup has ever found it on sale.
    ///   - names: the names of cities, by which halls are compared.
    /// - Returns: `nil` when nothing has changed that people want to know of. Details that have only become known or
    ///   unknown, such as a time of day, are not news.
    package init?(
        from former: ConcertEvent, storedAt: Timestamp, to event: ConcertEvent, wasOnSale: Bool, now: Timestamp,
        names: CityNames = .builtIn
    ) {
        changes = Self.changes(from: former, to: event, names: names)
        let isMoved = !changes.isEmpty
        let losesDate = former.localDate != nil && event.localDate == nil && event.dateTBA
        if losesDate { changes.insert(ShowChange(.date, from: former.localDate?.description, to: nil), at: 0) }
        if former.status != event.status {
            changes.append(ShowChange(.status, from: former.status.code, to: event.status.code))
        }
        switch (former.status, event.status) {
        case (.cancelled, .cancelled): return nil
        case (_, .cancelled): reason = .cancelled
        case (.postponed, .postponed) where !isMoved && !losesDate: return nil
        case (_, .postponed) where former.status != .postponed: reason = .postponed
        case _ where losesDate: reason = .postponed
        case _ where isMoved: reason = .moved
        case (.cancelled, _), (.postponed, .onsale), (.postponed, .offsale): reason = .reinstated
        case _ where !wasOnSale && !former.isOnSale(at: storedAt) && event.isOnSale(at: now): reason = .onSale
        default: return nil
        }
    }

    private static func changes(
        from former: ConcertEvent, to event: ConcertEvent, names: CityNames
    ) -> [ShowChange] {
        var changes: [ShowChange] = []
        if let date = event.localDate, former.localDate != date {
            changes.append(ShowChange(.date, from: former.localDate?.description, to: date.description))
        }
        if let time = event.localTime, let earlier = former.localTime, time != earlier, !event.timeTBA,
            !former.timeTBA
        {
            changes.append(ShowChange(.time, from: earlier.description, to: time.description))
        }
        var places = VenueKeys(names: names)
        let (before, after) = (places.venues(of: former), places.venues(of: event))
        // Sellers rename halls; one with the same id or the same folded name is the same hall.
        if !before.isEmpty, !after.isEmpty, Set(before).isDisjoint(with: after) {
            changes.append(ShowChange(.venue, from: former.venue?.title, to: event.venue?.title))
        }
        return changes
    }
}

extension ConcertVenue {
    /// The hall with its city, as far as they are known.
    fileprivate var title: String? {
        let parts = [name, city].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
