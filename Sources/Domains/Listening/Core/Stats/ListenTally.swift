import Model

/// A number of listens, and the time listened.
struct ListenSum: Sendable {
    var listens = 0
    var milliseconds = 0

    static func += (left: inout ListenSum, right: ListenSum) {
        left.listens += right.listens
        left.milliseconds += right.milliseconds
    }
}

/// Sums by songs as sources described them. There are far more listens than songs, so groups are summed up afterwards.
struct SongTally: Sendable {
    private(set) var sums: [ListenSum]

    init(_ count: Int) {
        sums = Array(repeating: ListenSum(), count: count)
    }

    /// - Parameter places: the indices of the listens to add.
    mutating func add(_ month: ListenColumns.Month, _ places: Range<Int>) {
        for (song, played) in zip(month.songs[places], month.played[places]) {
            sums[Int(song)] += ListenSum(listens: 1, milliseconds: Int(played))
        }
    }
}

/// Sums by groups of songs: equal songs, artists, albums and genres.
struct GroupTally {
    private struct Sums {
        var sums: [ListenSum]
        /// The index of a song in each group, which provides the group's name.
        var song: [Int]

        init(_ count: Int) {
            sums = Array(repeating: ListenSum(), count: count)
            song = Array(repeating: 0, count: count)
        }

        mutating func add(_ sum: ListenSum, to group: Int, song index: Int) {
            sums[group] += sum
            song[group] = index
        }

        /// The groups with the most listens.
        func top(_ limit: Int) -> [Int] {
            let bar = bar(limit)
            return Array(sums.indices.filter { sums[$0].listens >= bar }.sorted(by: isBefore).prefix(limit))
        }

        /// The number of listens of the last group in the top, at least 1. Most groups are far below it and need not be
        /// sorted.
        private func bar(_ limit: Int) -> Int {
            var groups = [Int](repeating: 0, count: (sums.lazy.map(\.listens).max() ?? 0) + 1)
            for sum in sums { groups[sum.listens] += 1 }
            var found = 0
            for listens in groups.indices.dropFirst().reversed() {
                found += groups[listens]
                if found >= limit { return listens }
            }
            return 1
        }

        private func isBefore(_ left: Int, _ right: Int) -> Bool {
            let (one, other) = (sums[left], sums[right])
            if one.listens != other.listens { return one.listens > other.listens }
            if one.milliseconds != other.milliseconds { return one.milliseconds > other.milliseconds }
            return left < right
        }

        var count: Int { sums.reduce(0) { $0 + ($1.listens > 0 ? 1 : 0) } }
    }

    private var songs: Sums
    private var artists: Sums
    private var albums: Sums
    private var genres: Sums
    private var milliseconds = 0

    init(_ tally: SongTally, _ columns: ListenColumns) {
        songs = Sums(columns.groupCount)
        artists = Sums(columns.artistCount)
        albums = Sums(columns.albumCount)
        genres = Sums(columns.genreNames.count)
        for (index, sum) in tally.sums.enumerated() where sum.listens > 0 {
            let song = columns.songs[index]
            milliseconds += sum.milliseconds
            songs.add(sum, to: song.group, song: index)
            artists.add(sum, to: song.artistGroup, song: index)
            if let album = song.albumGroup { albums.add(sum, to: album, song: index) }
            for genre in song.genres { genres.add(sum, to: genre, song: index) }
        }
    }

    func finish(_ stats: inout ListeningStats, limit: Int, _ columns: ListenColumns) {
        func entries(
            _ sums: Sums, _ name: (Int, ListenColumns.Song) -> (String, String?, Int64?)
        ) -> [ListeningStats.Entry] {
            sums.top(limit).map { group in
                let (title, artist, track) = name(group, columns.songs[sums.song[group]])
                return ListeningStats.Entry(
                    name: title, artist: artist, trackID: track.map { LibraryID(key: $0) },
                    listens: sums.sums[group].listens, milliseconds: sums.sums[group].milliseconds)
            }
        }
        stats.milliseconds = milliseconds
        stats.songs = entries(songs) { ($1.title, $1.artist, $1.track) }
        stats.artists = entries(artists) { ($1.artist, nil, nil) }
        stats.albums = entries(albums) { ($1.album ?? "", $1.artist, nil) }
        stats.genres = entries(genres) { group, _ in (columns.genreNames[group], nil, nil) }
        (stats.songCount, stats.artistCount, stats.albumCount) = (songs.count, artists.count, albums.count)
    }
}
