import Foundation
import Model

/// A person's stats for a range of time.
package struct ListeningStats: Sendable {
    package struct Entry: Sendable, Hashable {
        package var name: String
        /// The artist of a song or an album.
        package var artist: String?
        package var trackID: LibraryID?
        package var listens: Int
        package var milliseconds: Int

        package var minutes: Int { milliseconds / 60_000 }
    }

    package var listens = 0
    package var milliseconds = 0
    package var artists: [Entry] = []
    package var songs: [Entry] = []
    package var albums: [Entry] = []
    package var genres: [Entry] = []
    /// Listens in each hour of the day.
    package var byHour = [Int](repeating: 0, count: 24)
    /// Listens on each day of the week, Monday first.
    package var byWeekday = [Int](repeating: 0, count: 7)
    /// Listens in each hour of the week, from Monday at midnight.
    package var byHourOfWeek = [Int](repeating: 0, count: 168)
    /// The numbers of consecutive days with a listen in the whole history: until today or yesterday, and at most.
    package var currentStreak = 0
    package var longestStreak = 0
    /// Songs that were heard for the first time in the range.
    package var discoveries = 0
    /// The numbers of different artists, songs and albums.
    package var artistCount = 0
    package var songCount = 0
    package var albumCount = 0

    package var minutes: Int { milliseconds / 60_000 }
}

extension ListenColumns {
    /// - Parameters:
    ///   - limit: the most entries in each list.
    ///   - now: the current time, which determines whether the last streak is still going.
    package func stats(of range: StatsRange, limit: Int, at now: Timestamp) -> ListeningStats {
        var stats = ListeningStats()
        let possible = PossibleTimes.seconds(at: now)
        let range = range.clamped(to: possible)
        let ordered = orderedMonths
        let first = ordered.first?.starts.first ?? 0
        let last = max(ordered.last?.starts.last ?? 0, now.microseconds / 1_000_000)
        var offsets = ZoneOffsets(range.zone, in: first...max(first, last))
        var tally = SongTally(songs.count)
        var streak = Streak()
        for month in ordered {
            let places = range.places(in: month.starts)
            for (index, start) in month.starts.enumerated() {
                let local = offsets.local(start)
                let day = Int((local >= 0 ? local : local - 86_399) / 86_400)
                if possible.contains(start) { streak.add(day) }
                guard places.contains(index) else { continue }
                // 1970 began on a Thursday.
                let (hour, weekday) = (Int(local - Int64(day) * 86_400) / 3_600, ((day + 3) % 7 + 7) % 7)
                stats.byHourOfWeek[weekday * 24 + hour] += 1
            }
            tally.add(month, places)
        }
        for (place, listens) in stats.byHourOfWeek.enumerated() {
            stats.byHour[place % 24] += listens
            stats.byWeekday[place / 24] += listens
            stats.listens += listens
        }
        stats.discoveries = firstListens.reduce(0) { count, first in
            count + (first != .max && range.seconds?.contains(first) ?? true ? 1 : 0)
        }
        let today = offsets.local(now.microseconds / 1_000_000) / 86_400
        (stats.currentStreak, stats.longestStreak) = (streak.current(on: Int(today)), streak.longest)
        GroupTally(tally, self).finish(&stats, limit: limit, self)
        return stats
    }
}

extension StatsRange {
    /// The indices of the starts within the range.
    ///
    /// - Parameter starts: seconds since 1970, in ascending order.
    fileprivate func places(in starts: [Int64]) -> Range<Int> {
        guard let seconds, let first = starts.first, let last = starts.last else { return starts.indices }
        if seconds.contains(first), seconds.contains(last) { return starts.indices }
        let begin = starts.firstIndex { $0 >= seconds.lowerBound } ?? starts.count
        let end = starts.lastIndex { $0 < seconds.upperBound }.map { $0 + 1 } ?? 0
        return begin..<max(begin, end)
    }
}

/// Counts consecutive days.
private struct Streak {
    private var lastDay = Int.min
    private var length = 0
    private(set) var longest = 0

    mutating func add(_ day: Int) {
        guard day != lastDay else { return }
        length = day - 1 == lastDay ? length + 1 : 1
        lastDay = day
        longest = max(longest, length)
    }

    func current(on today: Int) -> Int { lastDay >= today - 1 ? length : 0 }
}
