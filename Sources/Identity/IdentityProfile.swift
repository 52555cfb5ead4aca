import Model

/// A record with everything that comparisons need, parsed and folded once.
///
/// A class, so that passing it on costs nothing.
package final class IdentityProfile: Sendable {
    package let record: IdentityRecord
    /// The ISRC in its compact form; `nil` if the record has none.
    package let isrc: String?
    /// The keys that a database indexes to find candidates: records that the rules may join without an equal ISRC share
    /// at least one. The keys of whole names that may be a main artist's come first, then, if there is room, those of
    /// the first and last words of the first name. There are at most ``maximumKeys``, without repetitions, and at least
    /// one.
    ///
    /// They depend only on the title and the artist, and are the same in every process. A version of the rules that
    /// changes them must change ``keyVersion``.
    package let keys: [Int64]

    /// How many of ``keys`` belong to whole names; the ones after them belong to words of the first name.
    private let wholeKeys: Int

    package static let maximumKeys = 8
    /// The most main artists that are compared. Songs usually have fewer.
    private static let maximumArtists = 4
    /// No recording has more names, and each is compared with those of another recording.
    private static let maximumCredits = 100
    /// Stored keys of another version must be computed again.
    package static let keyVersion = 5

    /// The ISRC as a number; 0 if there is none.
    let code: UInt64
    let title: SongTitle
    /// The main artists, as lists usually mean them: at most ``maximumArtists``.
    let artists: [CompactName]
    /// The main artists and guests: at most ``maximumCredits``.
    let credited: [CompactName]
    /// All readings of the artists.
    let artistList: ArtistList
    let isVarious: Bool
    /// The hash of the main artists (``ArtistList/hash``).
    let artistHash: UInt64
    let album: AlbumTitle
    /// The version that title, artist and album state.
    let version: SongVersion

    package convenience init(_ record: IdentityRecord) {
        self.init(
            record, title: SongTitle(record.title), artists: ArtistList(record.artist),
            album: AlbumTitle(record.album))
    }

    init(_ record: IdentityRecord, title: SongTitle, artists: ArtistList, album: AlbumTitle) {
        self.record = record
        isrc = record.isrc.flatMap(ISRC.normalized)
        code = isrc.map(Self.code) ?? 0

        var version = title.version
        if artists.isTribute || album.isTribute { version.kinds.insert(.karaoke) }
        version.wording = version.wording ?? album.wording ?? record.wording
        self.version = version

        // Those with the smallest skeletons, since services order names differently.
        var main = artists.main
        if main.count > 1 {
            main.sort { $0.skeleton < $1.skeleton }
            var seen: Set<UInt64> = []
            main = main.filter { seen.insert($0.skeleton).inserted }
        }
        self.artists = Array(main.prefix(Self.maximumArtists))
        let guests = title.features.flatMap(\.guests)
        credited = Array((artists.main + artists.guests + guests).prefix(Self.maximumCredits))
        artistList = artists
        artistHash = artists.hash
        isVarious = artists.isVarious
        self.title = title
        self.album = album
        let core = title.core.skeleton
        let names = artists.keys(Self.maximumKeys)
        let edges = artists.edgeKeys.filter { !names.contains($0) }.prefix(Self.maximumKeys - names.count)
        var keys = names.map { Int64(bitPattern: StableHash.of($0, core)) }
        if keys.isEmpty { keys = [Int64(bitPattern: core)] }
        wholeKeys = keys.count
        for edge in edges {
            let key = Int64(bitPattern: StableHash.of(edge, core))
            if !keys.contains(key) { keys.append(key) }
        }
        self.keys = keys
    }

    /// Whether the title, the album or the service says that the lyrics are explicit. Services mark explicit songs, but
    /// few mark the others.
    package var isExplicit: Bool { version.wording == .explicit }

    /// Whether the title, the album or the service says that lyrics were cut or replaced.
    package var isClean: Bool { version.wording == .clean }

    /// Whether ``keys`` certainly has all keys of whole names, since there is room for another.
    var hasAllNames: Bool { wholeKeys < Self.maximumKeys }

    /// Whether they share a key of whole names or the ISRC, rather than only single words of names. Two that do not,
    /// such as songs by `Reif` and by `Otto Reif`, are likely duplicates at best, and nothing else joins them.
    package func sharesNameOrISRC(with other: IdentityProfile) -> Bool {
        code != 0 && code == other.code || sharesName(with: other)
    }

    /// Whether they share a key of whole names, rather than only single words of names.
    func sharesName(with other: IdentityProfile) -> Bool {
        keys.prefix(wholeKeys).contains(where: other.keys.prefix(other.wholeKeys).contains)
    }

    /// Twelve letters and digits fit into 63 bits in base 36.
    private static func code(_ isrc: String) -> UInt64 {
        isrc.utf8.reduce(1) { $0 * 36 + UInt64($1 < 0x41 ? $1 - 0x30 : $1 - 0x37) }
    }
}

/// Creates the profiles of many records, and reuses the parsed artists and albums that they have in common.
package struct IdentityProfiler {
    private var artists: [String: ArtistList] = [:]
    private var albums: [String: AlbumTitle] = [:]

    package init() {}

    package mutating func profile(_ record: IdentityRecord) -> IdentityProfile {
        IdentityProfile(
            record, title: SongTitle(record.title),
            artists: Self.value(of: record.artist, in: &artists, ArtistList.init),
            album: Self.value(of: record.album, in: &albums, AlbumTitle.init))
    }

    private static func value<Value>(
        of text: String, in known: inout [String: Value], _ make: (String) -> Value
    ) -> Value {
        // Hashing a text normalizes it.
        guard text.utf8.count <= TokenText.longestFolded else { return make(text) }
        if let value = known[text] { return value }
        let value = make(text)
        known[text] = value
        return value
    }
}
