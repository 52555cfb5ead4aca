import Model

/// A record with everything that comparisons need, parsed and folded once.
///
/// A class, so that passing it on costs nothing.
package final class IdentityProfile: Sendable {
    package let record: IdentityRecord
    /// In its compact form; `nil` where the record has none.
    package let isrc: String?
    /// What a database indexes to find candidates: records that the rules may join without an equal ISRC share at least
    /// one. One for each main artist, at most ``maximumKeys``, without repetition; never empty.
    ///
    /// They follow from the title and the artist alone, and are the same in every process. A version of the rules that
    /// changes them has another ``keyVersion``.
    package let keys: [Int64]

    package static let maximumKeys = 4
    /// Stored keys of another version have to be computed again.
    package static let keyVersion = 1

    let title: SongTitle
    /// The main artists that count for candidates: at most ``maximumKeys``.
    let artists: [CompactName]
    /// Main artists and guests.
    let credited: [CompactName]
    let isVarious: Bool
    let album: AlbumTitle
    /// What title, artist and album state.
    let version: SongVersion

    package init(_ record: IdentityRecord) {
        self.record = record
        isrc = record.isrc.flatMap(ISRC.normalized)
        let title = SongTitle(record.title)
        let artists = ArtistList(record.artist)
        let album = AlbumTitle(record.album)

        var version = title.version
        if artists.isTribute || album.isTribute { version.kinds.insert(.karaoke) }
        version.wording = version.wording ?? album.wording ?? (record.isExplicit == true ? .explicit : nil)
        self.version = version

        // The smallest ones, since services order names differently.
        var main = artists.main
        if main.count > 1 {
            main.sort { $0.skeleton < $1.skeleton }
            var seen: Set<UInt64> = []
            main = main.filter { seen.insert($0.skeleton).inserted }
        }
        self.artists = Array(main.prefix(Self.maximumKeys))
        credited = artists.main + artists.guests + title.features
        isVarious = artists.isVarious
        self.title = title
        self.album = album
        let core = title.core.skeleton
        keys =
            main.isEmpty
            ? [Int64(bitPattern: core)]
            : self.artists.map { Int64(bitPattern: StableHash.of($0.skeleton, core)) }
    }
}
