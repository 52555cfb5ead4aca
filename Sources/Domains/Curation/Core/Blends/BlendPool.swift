import Identity
import Model

/// What one of the two people contributes to a blend.
package struct BlendSide: Sendable {
    /// A song in their library.
    package struct Song: Sendable, Hashable {
        package var candidate: CandidateSong
        /// Its ids in the catalogs of services.
        package var catalogIDs: [MusicSource: String]

        package init(_ candidate: CandidateSong, catalogIDs: [MusicSource: String]) {
            (self.candidate, self.catalogIDs) = (candidate, catalogIDs)
        }
    }

    package var songs: [Song]
    /// The artists in the library, by their names as songs have them.
    package var artists: [String: KnownArtist]
    /// The services that they have connected. Without any, songs of every service count as playable.
    package var services: [MusicSource]
    /// The songs that they do not want in any list, as edits name them.
    package var dismissed: Set<String>
    /// The descriptions of these songs, where they are known.
    package var dismissedSongs: [IdentityRecord]

    package init(
        songs: [Song], artists: [KnownArtist], services: [MusicSource], dismissed: Set<String> = [],
        dismissedSongs: [IdentityRecord] = []
    ) {
        (self.songs, self.services) = (songs, services)
        (self.dismissed, self.dismissedSongs) = (dismissed, dismissedSongs)
        self.artists = Dictionary(artists.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The reference to a song of the other side that this side can use; `nil` if none of their services is known to
    /// have it.
    func reference(toOther song: Song) -> String? {
        let playable = services.isEmpty ? MusicSource.services : services
        for service in [MusicSource.spotify, .appleMusic] where playable.contains(service) {
            if let id = song.catalogIDs[service] { return "\(service.rawValue):\(id)" }
        }
        return nil
    }
}

/// The combined songs of two people, and how much each person likes each song.
struct BlendPool: Sendable {
    struct Song: Sendable {
        /// The song as the first side has it, or else the second.
        var candidate: CandidateSong
        /// Each side's reference to the song; `nil` if it must be looked up.
        var references: (first: String?, second: String?)
        var has: (first: Bool, second: Bool)
        var liking: (first: Double, second: Double)
        /// A key that is the same whichever side asks.
        var key: String
        /// Its main artists, in a form in which different spellings of a name are equal.
        var artists: [String]
    }

    let songs: [Song]

    init(_ first: BlendSide, _ second: BlendSide, rules: IdentityRules) {
        let profiles = first.songs.map { IdentityProfile($0.candidate.record) }
        var places: [Int64: [Int]] = [:]
        for (place, profile) in profiles.enumerated() {
            for key in profile.keys { places[key, default: []].append(place) }
        }
        var partners: [Int: Int] = [:]
        var alone: [Int] = []
        for (index, song) in second.songs.enumerated() {
            let profile = IdentityProfile(song.candidate.record)
            let match = Set(profile.keys.flatMap { places[$0] ?? [] }).sorted().first {
                partners[$0] == nil && rules.compare(profiles[$0], profile).verdict == .same
            }
            if let match { partners[match] = index } else { alone.append(index) }
        }
        let liking = (SongAffinity(first), SongAffinity(second))
        var songs: [Song] = []
        let dismissals = [BlendDismissals(first, rules), BlendDismissals(second, rules)]
        let isDismissed = { (song: BlendSide.Song) in dismissals.contains { $0.contain(song) } }
        for (index, song) in first.songs.enumerated() {
            let other = partners[index].map { second.songs[$0] }
            if isDismissed(song) || other.map(isDismissed) ?? false { continue }
            songs.append(
                Song(
                    candidate: song.candidate,
                    references: (
                        song.candidate.reference, other?.candidate.reference ?? second.reference(toOther: song)
                    ),
                    has: (true, other != nil),
                    liking: (
                        liking.0.ofOwn(song.candidate),
                        other.map { liking.1.ofOwn($0.candidate) } ?? liking.1.ofOther(song.candidate)
                    ), key: Self.key(song.candidate), artists: profiles[index].mainArtists))
        }
        for index in alone {
            let song = second.songs[index]
            if isDismissed(song) { continue }
            songs.append(
                Song(
                    candidate: song.candidate,
                    references: (first.reference(toOther: song), song.candidate.reference),
                    has: (false, true),
                    liking: (liking.0.ofOther(song.candidate), liking.1.ofOwn(song.candidate)),
                    key: Self.key(song.candidate), artists: IdentityProfile(song.candidate.record).mainArtists))
        }
        self.songs = songs
    }

    private static func key(_ song: CandidateSong) -> String {
        FoldedText.words(of: song.artist + " " + song.title).joined(separator: " ")
    }

    /// The order in which songs are chosen so that the person who is served less well is served as well as possible. It
    /// does not depend on who asks.
    func fairOrder(seed: Int) -> FairOrder { FairOrder(songs, seed: seed) }
}

/// Songs in an order of max-min fairness: each next song is the one that makes the smaller of the two people's sums of
/// liking largest. A song is chosen when it is asked for, in a time that grows with the number of songs.
struct FairOrder: Sequence, IteratorProtocol {
    private struct Entry {
        var song: BlendPool.Song
        /// The place of its artist in ``counts``.
        var artist: Int
        var jitter: Double
    }

    private var rest: [Entry] = []
    /// How many songs of each artist were chosen.
    private var counts: [Int]
    private var served = (first: 0.0, second: 0.0)

    init(_ songs: [BlendPool.Song], seed: Int) {
        var artists: [String: Int] = [:]
        rest.reserveCapacity(songs.count)
        for song in songs {
            let artist = artists[song.candidate.artistKey, default: artists.count]
            artists[song.candidate.artistKey] = artist
            rest.append(Entry(song: song, artist: artist, jitter: StableJitter.of(song.key, seed: seed)))
        }
        counts = Array(repeating: 0, count: artists.count)
    }

    mutating func next() -> BlendPool.Song? {
        var best: (index: Int, value: (Double, Double, Double))?
        for (index, entry) in rest.enumerated() {
            let repeats = 0.3 * Double(counts[entry.artist])
            let (one, other) = (entry.song.liking.first - repeats, entry.song.liking.second - repeats)
            let value = (Swift.min(served.first + one, served.second + other), one + other, entry.jitter)
            if best.map({ $0.value < value }) ?? true { best = (index, value) }
        }
        guard let index = best?.index else { return nil }
        let entry = rest.remove(at: index)
        served = (served.first + entry.song.liking.first, served.second + entry.song.liking.second)
        counts[entry.artist] += 1
        return entry.song
    }
}

/// The songs that one side does not want.
private struct BlendDismissals {
    private let names: Set<String>
    private let songs: SongIndex
    private let rules: IdentityRules

    init(_ side: BlendSide, _ rules: IdentityRules) {
        (names, songs, self.rules) = (side.dismissed, SongIndex(side.dismissedSongs), rules)
    }

    /// Whether they do not want a song, under whatever name they know it.
    func contain(_ song: BlendSide.Song) -> Bool {
        names.contains(song.candidate.reference)
            || song.catalogIDs.contains { names.contains("\($0.rawValue):\($1)") }
            || songs.contains(IdentityProfile(song.candidate.record), by: rules)
    }
}

/// How much one side likes songs, from 0 to 1.
private struct SongAffinity {
    private let side: BlendSide
    private let mostPlays: Int
    private let genres: Set<String>

    init(_ side: BlendSide) {
        self.side = side
        mostPlays = max(1, side.songs.map(\.candidate.plays).max() ?? 1)
        genres = Set(side.songs.flatMap(\.candidate.genres))
    }

    func ofOwn(_ song: CandidateSong) -> Double {
        song.isLoved ? 1 : 0.6 + 0.4 * Double(song.plays) / Double(mostPlays)
    }

    func ofOther(_ song: CandidateSong) -> Double {
        let known = side.artists[song.artist].map { 0.3 + min(0.2, Double($0.songs) * 0.02) } ?? 0
        return known + (song.genres.contains(where: genres.contains) ? 0.1 : 0)
    }
}

/// A number from 0 to 1 that a text and a seed determine (FNV-1a, finished by SplitMix64).
enum StableJitter {
    static func of(_ text: String, seed: Int) -> Double {
        var hash = UInt64(bitPattern: Int64(seed)) ^ 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
        return Double((hash ^ (hash >> 31)) >> 11) / Double(1 << 53)
    }
}
