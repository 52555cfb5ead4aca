import Model

extension ShowGrouping {
    /// The most days between a pass and a show by the same performer at the same venue.
    private static let passReach = 7
    /// The most days of a show to which an extra can be assigned.
    private static let longestSpan = 14

    /// One performer with one key for a place and a date.
    private struct PlaceKey: Hashable {
        var performer: String
        var place: String
        /// `nil` means all days.
        var date: LocalDate?
    }

    /// Assigns each extra to its show. Extras without a show are returned as `alone`.
    ///
    /// Parking and packages are assigned by performer, city and date, because their venue is often a different one (the
    /// car park); passes for several days also by performer and venue within seven days. Performers are the artists of
    /// the search; only if they find no show, all attractions: a festival's own attraction is on the bills of all its
    /// shows.
    static func joining(_ extras: [Show], to shows: [Show]) -> (shows: [Show], alone: [Show]) {
        var byDay: [PlaceKey: [Int]] = [:]
        var byVenue: [PlaceKey: [Int]] = [:]
        for (index, show) in shows.enumerated() {
            for performer in performers(of: show).flatMap(\.self) {
                for place in cityKeys(of: show) {
                    for date in days(of: show) {
                        byDay[PlaceKey(performer: performer, place: place, date: date), default: []].append(index)
                    }
                }
                for venue in Set(show.listings.flatMap(\.venues)) where show.best.day != nil {
                    byVenue[PlaceKey(performer: performer, place: venue), default: []].append(index)
                }
            }
        }
        for key in byVenue.keys {
            byVenue[key]?.sort { (shows[$0].dayNumber, $0) < (shows[$1].dayNumber, $1) }
        }

        var result = shows
        var alone: [Show] = []
        for extra in extras {
            let candidates = onItsDay(extra, byDay) ?? aroundPass(extra, byVenue, shows)
            let choice = candidates?.min { fit(of: shows[$0], for: extra) < fit(of: shows[$1], for: extra) }
            if let choice {
                result[choice].extras.append(extra)
            } else {
                alone.append(extra)
            }
        }
        return (result, alone)
    }

    private static func onItsDay(_ extra: Show, _ index: [PlaceKey: [Int]]) -> Set<Int>? {
        guard let date = extra.best.day else { return nil }
        return firstMatch(extra) { performer in
            cityKeys(of: extra).flatMap { index[PlaceKey(performer: performer, place: $0, date: date)] ?? [] }
        }
    }

    private static func aroundPass(_ extra: Show, _ index: [PlaceKey: [Int]], _ shows: [Show]) -> Set<Int>? {
        let event = extra.best.event
        guard event.kind == .festivalPass || event.spansMultipleDays, extra.best.day != nil else { return nil }
        let day = extra.dayNumber
        return firstMatch(extra) { performer in
            extra.best.venues.flatMap { venue in
                let sorted = index[PlaceKey(performer: performer, place: venue)] ?? []
                let start = sorted.partitioningIndex { shows[$0].dayNumber >= day - passReach }
                return sorted[start...].prefix { shows[$0].dayNumber <= day + passReach }
            }
        }
    }

    /// The shows that the search's artists find, or else those that all attractions find.
    private static func firstMatch(_ extra: Show, _ find: (String) -> [Int]) -> Set<Int>? {
        for tier in performers(of: extra) {
            let found = Set(tier.flatMap(find))
            if !found.isEmpty { return found }
        }
        return nil
    }

    /// The artists of the search, and all attractions on the bill.
    private static func performers(of show: Show) -> [[String]] {
        let artists = Set(show.listings.flatMap(\.artists).map { "artist \($0.id)" })
        let billed = Set(show.listings.flatMap(\.event.attractions).map { "attraction \($0.id)" })
        return [Array(artists), Array(billed)]
    }

    /// The keys of the city, and of the venues for events whose city is unknown.
    private static func cityKeys(of show: Show) -> Set<String> {
        Set(show.listings.flatMap { listing in listing.venues + (listing.city.map { ["city \($0)"] } ?? []) })
    }

    /// All days of the show.
    private static func days(of show: Show) -> [LocalDate] {
        guard let first = show.best.day else { return [] }
        let last = show.best.event.endDate?.dayNumber ?? first.dayNumber
        return (first.dayNumber...max(first.dayNumber, min(last, first.dayNumber + longestSpan)))
            .compactMap { LocalDate(dayNumber: $0) }
    }

    /// How well a show fits an extra; smaller is better. The criteria are, in this order: the show takes place, its day
    /// is close, it has the same venue, its time is close, then the id.
    private static func fit(of show: Show, for extra: Show) -> FitScore {
        let distance = extra.dayNumber - show.dayNumber
        let times = (show.best.event.localTime, extra.best.event.localTime)
        let isSameVenue = !Set(show.best.venues).isDisjoint(with: extra.best.venues)
        return FitScore(
            isCancelled: show.best.event.status == .cancelled ? 1 : 0,
            // If two shows are equally far from a pass, the later one is chosen.
            // bounded: the days of two dates in the years 1 to 9999
            days: abs(distance) * 2 + (distance > 0 ? 1 : 0),
            otherVenue: isSameVenue ? 0 : 1,
            // bounded: the seconds of a day
            seconds: times.0.flatMap { left in times.1.map { abs(left.secondOfDay - $0.secondOfDay) } } ?? 86_400,
            // Packages without a time usually belong to the evening show, not to the matinee.
            earliness: -(times.0?.secondOfDay ?? -1),
            id: show.best.event.id)
    }

    private struct FitScore: Comparable {
        var isCancelled: Int
        var days: Int
        var otherVenue: Int
        var seconds: Int
        var earliness: Int
        var id: String

        static func < (left: FitScore, right: FitScore) -> Bool {
            (left.isCancelled, left.days, left.otherVenue, left.seconds, left.earliness, left.id)
                < (right.isCancelled, right.days, right.otherVenue, right.seconds, right.earliness, right.id)
        }
    }
}

extension Show {
    /// Only meaningful for shows with a date; others are never compared.
    fileprivate var dayNumber: Int { best.day?.dayNumber ?? .min / 4 }
}

extension Array {
    /// The first index whose element satisfies a condition that holds from there on.
    fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
