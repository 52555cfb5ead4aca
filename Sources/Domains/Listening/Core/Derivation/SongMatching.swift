import Identity
import Model

/// Decides which songs, as sources describe them, may be the same recording. It caches its results.
struct SongMatching {
    private struct Pair: Hashable {
        let low: Int64
        let high: Int64
    }

    private var songs: [Int64: SongDescription]
    private var profiler = IdentityProfiler()
    private var profiles: [Int64: IdentityProfile] = [:]
    private var verdicts: [Pair: Bool] = [:]
    private let rules = IdentityRules()

    /// - Parameter songs: the songs by their keys.
    init(_ songs: [Int64: SongDescription] = [:]) {
        self.songs = songs
    }

    /// - Parameter songs: the songs by their keys.
    mutating func add(_ songs: [Int64: SongDescription]) {
        self.songs.merge(songs) { known, _ in known }
    }

    /// The ids of songs that were not added yet.
    func unknown(_ ids: Set<Int64>) -> Set<Int64> { ids.filter { songs[$0] == nil } }

    /// Whether two songs may be the same recording, which means that nothing contradicts it. The times of the plays
    /// must confirm it.
    mutating func mayBeOne(_ one: Int64, _ other: Int64) -> Bool {
        if one == other { return true }
        let pair = Pair(low: min(one, other), high: max(one, other))
        if let known = verdicts[pair] { return known }
        guard let left = songs[one], let right = songs[other] else { return false }
        let result =
            left.hasID(of: right) || rules.compare(profile(one, left), profile(other, right)).verdict != .different
        verdicts[pair] = result
        return result
    }

    /// Whether two songs have the same title and the same artist, letter by letter.
    func haveSameWords(_ one: Int64, _ other: Int64) -> Bool {
        guard let left = songs[one], let right = songs[other] else { return one == other }
        return left.title == right.title && left.artist == right.artist
    }

    private mutating func profile(_ id: Int64, _ song: SongDescription) -> IdentityProfile {
        if let known = profiles[id] { return known }
        // Services give different lengths for one recording, and albums differ, so these are ignored: the times of the
        // plays count here.
        let made = profiler.profile(IdentityRecord(title: song.title, artist: song.artist, isrc: song.isrc))
        profiles[id] = made
        return made
    }
}

extension SongDescription {
    fileprivate func hasID(of other: SongDescription) -> Bool {
        func isSame(_ one: String?, _ two: String?) -> Bool { one != nil && one == two }
        return isSame(spotifyID, other.spotifyID) || isSame(isrc?.uppercased(), other.isrc?.uppercased())
            || isSame(recordingMBID, other.recordingMBID) || isSame(appleMusicID, other.appleMusicID)
    }
}
