import Foundation
import Model

/// A person's stats of a range.
package struct ListeningStats: Sendable {
    package struct Entry: Sendable, Hashable {
        package var name: String
        /// Of songs and albums.
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
    /// Listens of each hour of the day.
    package var byHour = [Int](repeating: 0, count: 24)
    /// Listens of each day of the week, Monday first.
    package var byWeekday = [Int](repeating: 0, count: 7)
    /// Listens of each hour of the week, from Monday at midnight.
    package var byHourOfWeek = [Int](repeating: 0, count: 168)
    /// Days in a row with a listen, of the whole history: until today or yesterday, and the most.
    package var currentStreak = 0
    package var longestStreak = 0
    /// Songs that were heard for the first time in the range.
    package var discoveries = 0
    /// How many artists, songs and albums there are.
    package var artistCount = 0
    package var songCount = 0
    package var albumCount = 0

    package var minutes: Int { milliseconds / 60_000 }
}

extension ListenColumns {
    /// - Parameters:
    ///   - limit: the most entries of each list.
    ///   - now: tells which streak of days goes on.
    package func stats(of range: StatsRange, limit: Int, at now: Timestamp) -> ListeningStats {
        var stats = ListeningStats()
        var tally = Tally(self)
        let ordered = months.keys.sorted().compactMap { months[$0] }
        let first = ordered.first?.starts.first ?? 0
        let last = max(ordered.last?.starts.last ?? 0, now.microseconds / 1_000_000)
        var offsets = ZoneOffsets(range.zone, in: first...max(first, last))
        var heard = [Bool](repeating: false, count: groupCount)
        var streak = Streak()
        for month in ordered {
            for index in month.starts.indices {
                let (start, song) = (month.starts[index], songs[Int(month.songs[index])])
                let local = offsets.local(start)
                let day = Int((local >= 0 ? local : local - 86_399) / 86_400)
                streak.add(day)
                let isInRange = range.seconds?.contains(start) ?? true
                if !heard[song.group] {
                    heard[song.group] = true
                    if isInRange { stats.discoveries += 1 }
                }
                guard isInRange else { continue }
                let played = Int(month.played[index])
                stats.listens += 1
                stats.milliseconds += played
                // 1970 began on a Thursday.
                let (hour, weekday) = (Int(local - Int64(day) * 86_400) / 3_600, ((day + 3) % 7 + 7) % 7)
                stats.byHour[hour] += 1
                stats.byWeekday[weekday] += 1
                stats.byHourOfWeek[weekday * 24 + hour] += 1
                tally.add(song, index: Int(month.songs[index]), played)
            }
        }
        let today = offsets.local(now.microseconds / 1_000_000) / 86_400
        (stats.currentStreak, stats.longestStreak) = (streak.current(on: Int(today)), streak.longest)
        tally.finish(&stats, limit: limit, self)
        return stats
    }
}

/// Counts days in a row.
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

/// Sums by groups of songs.
private struct Tally {
    private struct Sums {
        var listens: [Int32]
        var milliseconds: [Int]
        /// A song of each group, which names it.
        var song: [Int32]

        init(_ count: Int) {
            listens = Array(repeating: 0, count: count)
            milliseconds = Array(repeating: 0, count: count)
            song = Array(repeating: 0, count: count)
        }

        mutating func add(_ group: Int, song index: Int, _ played: Int) {
            listens[group] += 1
            milliseconds[group] += played
            song[group] = Int32(index)
        }

        /// The groups with the most listens.
        func top(_ limit: Int) -> [Int] {
            let groups = listens.indices.filter { listens[$0] > 0 }
            guard groups.count > limit else { return groups.sorted(by: isBefore) }
            // Most groups are far from the top.
            let bar = groups.map { listens[$0] }.sorted(by: >)[limit - 1]
            return Array(groups.filter { listens[$0] >= bar }.sorted(by: isBefore).prefix(limit))
        }

        private func isBefore(_ left: Int, _ right: Int) -> Bool {
            if listens[left] != listens[right] { return listens[left] > listens[right] }
            if milliseconds[left] != milliseconds[right] { return milliseconds[left] > milliseconds[right] }
            return left < right
        }

        var count: Int { listens.reduce(0) { $0 + ($1 > 0 ? 1 : 0) } }
    }

    private var songs: Sums
    private var artists: Sums
    private var albums: Sums
    private var genres: Sums

    init(_ columns: ListenColumns) {
        songs = Sums(columns.groupCount)
        artists = Sums(columns.artistCount)
        albums = Sums(columns.albumCount)
        genres = Sums(columns.genreNames.count)
    }

    mutating func add(_ song: ListenColumns.Song, index: Int, _ played: Int) {
        songs.add(song.group, song: index, played)
        artists.add(song.artistGroup, song: index, played)
        if let album = song.albumGroup { albums.add(album, song: index, played) }
        for genre in song.genres { genres.add(genre, song: index, played) }
    }

    func finish(_ stats: inout ListeningStats, limit: Int, _ columns: ListenColumns) {
        func entries(_ sums: Sums, _ name: (Int, ListenColumns.Song) -> (String, String?, Int64?)) -> [ListeningStats
            .Entry]
        {
            sums.top(limit).map { group in
                let (title, artist, track) = name(group, columns.songs[Int(sums.song[group])])
                return ListeningStats.Entry(
                    name: title, artist: artist, trackID: track.map { LibraryID(key: $0) },
                    listens: Int(sums.listens[group]), milliseconds: sums.milliseconds[group])
            }
        }
        stats.songs = entries(songs) { ($1.title, $1.artist, $1.track) }
        stats.artists = entries(artists) { ($1.artist, nil, nil) }
        stats.albums = entries(albums) { ($1.album ?? "", $1.artist, nil) }
        stats.genres = entries(genres) { group, _ in (columns.genreNames[group], nil, nil) }
        (stats.songCount, stats.artistCount, stats.albumCount) = (songs.count, artists.count, albums.count)
    }
}
