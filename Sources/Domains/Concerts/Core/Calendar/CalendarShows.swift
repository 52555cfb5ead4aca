import Model
import Storage

/// The shows of a person's calendar: those of the ranked artists, with the day, as far as lookups have found them.
///
/// - A show is one entry, whoever of the artists plays and however many listings it has, as in a search's result. The
///   entry is the listing that represented the show first, as long as it takes place, so that it stays the same entry.
/// - A show that is over, a cancelled one, and a postponed one without a new day stay for ``shownAfter``.
/// - Shows without a day are left out, and so are cancelled ones of which nobody knew before.
package struct CalendarShows: Sendable {
    /// The most shows; those with the latest dates are left out.
    package static let capacity = 500
    /// How long a show stays after its end, and after it was cancelled or postponed.
    package static let shownAfter = Duration.seconds(daysShownAfter * 86_400)
    private static let daysShownAfter = 30

    /// By day, time and id.
    package let shows: [CalendarShow]

    /// - Parameter area: only shows in this area are included; `nil` includes all.
    package init(
        ofUser userID: String, in area: HomeArea?, cityNames: CityNames, now: Timestamp, in reader: some SQLReader
    ) throws {
        let today = Int(now.microseconds / 86_400_000_000)
        let window = CalendarWindow(
            firstDay: today - Self.daysShownAfter, today: today, since: now.advanced(by: .zero - Self.shownAfter))
        var listings: [String: CalendarListing] = [:]
        let sources = try reader.concerts.rankedArtists(userID: userID).map { artist in
            let topic = WatchedTopic(artist)
            let found = try reader.concerts.calendarListings(of: topic, within: window)
            for listing in found { listings[listing.event.id] = listing.joined(with: listings[listing.event.id]) }
            return ShowGrouping.Source(
                artist: artist, attractionID: try reader.concerts.target(key: topic.subjectKey)?.attractionID,
                events: found.map(\.event))
        }
        let grouping = ShowGrouping(
            sources,
            options: .init(
                includesCancelled: true, notBefore: LocalDate(dayNumber: window.firstDay), cityNames: cityNames))
        let chosen = grouping.rows.compactMap { row -> (row: ShowRow, listing: CalendarListing)? in
            guard let listing = Self.listing(of: row, in: listings), listing.isShown(since: window.since) else {
                return nil
            }
            guard let area else { return (row, listing) }
            return listing.event.venue.map(area.contains) == true ? (row, listing) : nil
        }
        let formerDays = try reader.concerts.formerDays(
            ofEvents: chosen.map(\.listing.event).filter { $0.calendarDay == nil }.map(\.id), since: window.since)
        shows = Array(
            chosen.compactMap { Self.show($0.row, $0.listing, formerDays: formerDays, cityNames: cityNames) }
                .sorted(by: CalendarShow.isBefore).prefix(Self.capacity))
    }

    /// The listing that a calendar shows: the first that represented the show, or the best one if that is cancelled and
    /// the best one is not. `nil` for an offer without a show, such as parking.
    private static func listing(of row: ShowRow, in listings: [String: CalendarListing]) -> CalendarListing? {
        guard row.event.kind == .show, let best = listings[row.event.id] else { return nil }
        let first = ([row.event] + row.duplicates + row.extras + row.duplicateExtras).filter { $0.kind == .show }
            .compactMap { listings[$0.id] }.filter { $0.representsSince != nil }
            .min { left, right in
                (left.representsSince?.microseconds ?? .max, left.event.id)
                    < (right.representsSince?.microseconds ?? .max, right.event.id)
            }
        guard let first, first.event.status != .cancelled || best.event.status == .cancelled else { return best }
        return first
    }

    private static func show(
        _ row: ShowRow, _ listing: CalendarListing, formerDays: [String: LocalDate], cityNames: CityNames
    ) -> CalendarShow? {
        var row = row
        row.event = listing.event
        if let day = listing.event.calendarDay {
            return CalendarShow(
                ConcertListItem(row, cityNames: cityNames), on: day, firstSeenAt: listing.firstSeenAt)
        }
        guard let day = formerDays[listing.event.id] else { return nil }
        row.event.status = row.event.status == .cancelled ? .cancelled : .postponed
        (row.event.localTime, row.event.endDate, row.event.timeTBA) = (nil, nil, true)
        return CalendarShow(ConcertListItem(row, cityNames: cityNames), on: day, firstSeenAt: listing.firstSeenAt)
    }
}

/// What of the past a calendar shows.
struct CalendarWindow: Sendable {
    /// In days since 1970.
    var firstDay: Int
    /// In days since 1970.
    var today: Int
    /// Since when a show may have been cancelled or postponed.
    var since: Timestamp
}

/// A listing, as a calendar reads it.
struct CalendarListing: Sendable {
    /// With its ``ConcertEvent/history``.
    var event: ConcertEvent
    var firstSeenAt: Timestamp?
    var cancelledAt: Timestamp?
    /// Since when it has represented its show in the topic of an artist; `nil` when it does not.
    var representsSince: Timestamp?

    /// The listing in the topics of two artists.
    func joined(with other: CalendarListing?) -> CalendarListing {
        var joined = self
        joined.representsSince = [representsSince, other?.representsSince].compactMap(\.self).min()
        return joined
    }

    /// Whether it takes place, or was cancelled within the time.
    func isShown(since moment: Timestamp) -> Bool {
        event.status != .cancelled || cancelledAt.map { $0 >= moment } ?? false
    }
}

extension ConcertEvent {
    /// The day on which calendars show it; `nil` while it is to be announced.
    var calendarDay: LocalDate? { dateTBA ? nil : localDate }
}
