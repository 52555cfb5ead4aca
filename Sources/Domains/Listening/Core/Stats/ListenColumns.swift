import Model

/// A person's listens in memory, by month, in the form that stats read: 16 bytes for each listen.
package struct ListenColumns: Sendable {
    struct Month: Sendable {
        /// The change number of the month when it was read.
        var change: Int64
        /// The starts of the listens in seconds since 1970, in ascending order.
        var starts: [Int64] = []
        /// The song of each listen, as an index of ``songs``.
        var songs: [Int32] = []
        /// How long each was played, in milliseconds; the length of the recording if that was not reported, and 0 if
        /// neither is known.
        var played: [Int32] = []
    }

    /// What stats need to know about a song.
    struct Song: Sendable {
        var title: String
        var artist: String
        var album: String?
        var track: Int64?
        /// The same number for songs that are the same: it stands for the key of the track, or for the folded names.
        var group: Int
        var artistGroup: Int
        /// `nil` without an album.
        var albumGroup: Int?
        var genres: [Int] = []
        var durationMs: Int
    }

    var months: [ListenMonth: Month] = [:]
    var songs: [Song] = []
    var indexOfSong: [Int64: Int32] = [:]
    /// The number of the latest change to a song that was read.
    var songsChange: Int64 = 0
    /// When each group of songs was first heard, in seconds since 1970; `Int64.max` for a group without listens.
    private(set) var firstListens: [Int64] = []
    var genreNames: [String] = []
    private var groups: [String: Int] = [:]
    private var artistGroups: [String: Int] = [:]
    private var albumGroups: [String: Int] = [:]
    private var genreNumbers: [String: Int] = [:]

    package init() {}

    /// The number of listens.
    package var count: Int { months.values.reduce(0) { $0 + $1.starts.count } }
    var groupCount: Int { groups.count }
    var artistCount: Int { artistGroups.count }
    var albumCount: Int { albumGroups.count }

    /// The start of the first listen at a possible time, in seconds since 1970; `nil` without listens.
    package func firstSecond(at now: Timestamp) -> Int64? {
        let possible = PossibleTimes.seconds(at: now)
        return months.keys.sorted().lazy.compactMap { months[$0]?.starts.first(where: possible.contains) }.first
    }

    /// The number of listens in each of several periods.
    ///
    /// - Parameters:
    ///   - starts: the starts of the periods, in seconds since 1970 and in ascending order; each ends where the next
    ///     one begins.
    ///   - end: the end of the last period.
    package func counts(from starts: [Int64], to end: Int64) -> [Int] {
        var counts = [Int](repeating: 0, count: starts.count)
        for month in months.keys.sorted() {
            var index = 0
            for start in months[month]?.starts ?? [] where start < end && start >= starts[0] {
                while index + 1 < starts.count, starts[index + 1] <= start { index += 1 }
                counts[index] += 1
            }
        }
        return counts
    }

    /// Adds a song, or replaces what is known about it.
    ///
    /// - Parameter genres: the genres of the track.
    mutating func set(_ said: SongDescription, id: Int64, track: Int64?, genres: [String]) {
        let artist = Self.folded(said.artist)
        let album = said.album.map { Self.folded($0) + "\u{0}" + artist }
        let key = track.map { "#\($0)" } ?? Self.folded(said.title) + "\u{0}" + artist
        let song = Song(
            title: said.title, artist: said.artist, album: said.album, track: track,
            group: Self.number(key, in: &groups), artistGroup: Self.number(artist, in: &artistGroups),
            albumGroup: album.map { Self.number($0, in: &albumGroups) },
            genres: genres.map { genre in
                let count = genreNumbers.count
                let number = Self.number(genre, in: &genreNumbers)
                if number == count { genreNames.append(genre) }
                return number
            },
            durationMs: said.durationMilliseconds ?? 0)
        if let index = indexOfSong[id] {
            songs[Int(index)] = song
        } else {
            indexOfSong[id] = Int32(songs.count)
            songs.append(song)
        }
    }

    /// The months in chronological order.
    var orderedMonths: [Month] { months.sorted { $0.key < $1.key }.map(\.value) }

    /// Determines when each group was first heard. Call it when listens or songs have changed.
    mutating func computeFirstListens() {
        let groups = songs.map(\.group)
        var first = [Int64](repeating: .max, count: groupCount)
        for month in orderedMonths {
            for (start, song) in zip(month.starts, month.songs) {
                let group = groups[Int(song)]
                if first[group] == .max { first[group] = start }
            }
        }
        firstListens = first
    }

    func artistGroup(of name: String) -> Int? { artistGroups[Self.folded(name)] }

    static func folded(_ text: String) -> String {
        let words = FoldedText.words(of: text)
        return words.isEmpty ? text : words.joined(separator: " ")
    }

    private static func number(_ key: String, in numbers: inout [String: Int]) -> Int {
        if let known = numbers[key] { return known }
        numbers[key] = numbers.count
        return numbers.count - 1
    }
}
