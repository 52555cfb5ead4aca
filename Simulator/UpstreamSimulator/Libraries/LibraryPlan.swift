/// The initial contents of a person's library at one service: the body of `POST /_sim/NAME/library`. All members are
/// optional.
///
/// A seed puts the catalog's recordings in an order. A library has the recordings from ``first`` on, so two libraries
/// with the same seed share what is in both ranges: 50,000 tracks from 0 at Spotify and 50,000 from 20,000 at Apple
/// Music have 30,000 recordings in common.
struct LibraryPlan: Sendable, Codable, Equatable {
    /// Spotify's id of the person, or the account of an Apple user token; by default the usual one.
    var person: String?
    var seed: UInt64 = 1
    /// The first position in the seed's order.
    var first = 0
    /// Saved tracks that can be read.
    var tracks = 0
    /// Saved albums.
    var albums = 0
    var playlists = 0
    /// Entries of each playlist, except for the empty one.
    var entries = 30
    /// The number of tastes from which the playlists are made; 0 for none. Playlists of one taste draw most of their
    /// songs from the same pool. As many entries as a playlist has are withheld: they are suitable continuations of it
    /// (``LibrarySummary/Playlist/withheld``).
    var tastes = 0
    /// Whether there are the special playlists of ``PersonalLibrary`` (local files, episodes, null entries, duplicates,
    /// an empty one, other people's), one track in a hundred under two releases, and Apple's missing attributes.
    var oddities = true
    /// The number of saved tracks that `total` counts but no page contains, from position 150 on. Apple's default is 2
    /// for libraries of 300 tracks or more.
    var hidden: Int?
    /// Spotify: the number of saved tracks that are null in their pages.
    var nulls = 0
    /// Whether later changes are dated with the moment at which they happen. Otherwise each is dated a minute after the
    /// previous one.
    var isLive = false
    /// Apple: how many of the tracks are uploads without an entry in the catalog; by default one in fifty.
    var uploads: Int?

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let plain = LibraryPlan()
        person = try values.decodeIfPresent(String.self, forKey: .person)
        seed = try values.decodeIfPresent(UInt64.self, forKey: .seed) ?? plain.seed
        first = try values.decodeIfPresent(Int.self, forKey: .first) ?? plain.first
        tracks = try values.decodeIfPresent(Int.self, forKey: .tracks) ?? plain.tracks
        albums = try values.decodeIfPresent(Int.self, forKey: .albums) ?? plain.albums
        playlists = try values.decodeIfPresent(Int.self, forKey: .playlists) ?? plain.playlists
        entries = try values.decodeIfPresent(Int.self, forKey: .entries) ?? plain.entries
        tastes = try values.decodeIfPresent(Int.self, forKey: .tastes) ?? plain.tastes
        oddities = try values.decodeIfPresent(Bool.self, forKey: .oddities) ?? plain.oddities
        hidden = try values.decodeIfPresent(Int.self, forKey: .hidden)
        nulls = try values.decodeIfPresent(Int.self, forKey: .nulls) ?? plain.nulls
        isLive = try values.decodeIfPresent(Bool.self, forKey: .isLive) ?? plain.isLive
        uploads = try values.decodeIfPresent(Int.self, forKey: .uploads)
    }

    /// - Throws: ``InvalidSetting``.
    func check(against catalog: RecordingCatalog) throws {
        for (name, value) in [
            ("first", first), ("tracks", tracks), ("albums", albums), ("playlists", playlists), ("entries", entries),
            ("tastes", tastes), ("hidden", hidden ?? 0), ("nulls", nulls), ("uploads", uploads ?? 0),
        ] where value < 0 {
            throw InvalidSetting(description: "\(name) must not be negative.")
        }
        guard first <= catalog.count, tracks <= catalog.count - first else {
            throw InvalidSetting(
                description: "The catalog has \(catalog.count) recordings, fewer than first + tracks.")
        }
        let releases = catalog.artists * Edition.allCases.count
        guard albums <= releases else {
            throw InvalidSetting(description: "The catalog has \(releases) releases, fewer than albums.")
        }
        guard playlists <= 10_000, entries <= 11_000 else {
            throw InvalidSetting(description: "There are at most 10,000 playlists of 11,000 entries.")
        }
        guard uploads ?? 0 <= tracks else { throw InvalidSetting(description: "uploads must not exceed tracks.") }
    }
}
