/// What a person's library at one service starts with: the body of `POST /_sim/NAME/library`. All members may be
/// left out.
///
/// A seed puts the catalogue's recordings in an order. A library has those from ``first`` on, and so two libraries
/// of one seed share what both ranges hold: 50,000 tracks from 0 at Spotify and 50,000 from 20,000 at Apple Music
/// have 30,000 recordings in common.
struct LibraryPlan: Sendable, Codable, Equatable {
    /// Spotify's id of the person, or the account of an Apple user token; the usual one when it is left out.
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
    /// How many tastes the playlists come from; 0 for none. Playlists of one taste share most of their songs' pool. As
    /// many entries as a playlist has are withheld: they would go on with it (``LibrarySummary/Playlist/withheld``).
    var tastes = 0
    /// Whether there are the special playlists of ``PersonalLibrary`` (local files, episodes, null entries, duplicates,
    /// an empty one, other people's), one track in a hundred under two releases, and Apple's missing attributes.
    var oddities = true
    /// Saved tracks that `total` counts and no page has, from position 150 on. Apple: 2 from 300 tracks on, unless
    /// given.
    var hidden: Int?
    /// Spotify: saved tracks that are null in their pages.
    var nulls = 0
    /// Whether later changes have the moments at which they happen. Otherwise each is a minute after the last.
    var isLive = false
    /// Apple: how many of the tracks are uploads without an entry in the catalogue. One in fifty, unless given.
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
    func check(against catalogue: RecordingCatalogue) throws {
        for (name, value) in [
            ("first", first), ("tracks", tracks), ("albums", albums), ("playlists", playlists), ("entries", entries),
            ("tastes", tastes), ("hidden", hidden ?? 0), ("nulls", nulls), ("uploads", uploads ?? 0),
        ] where value < 0 {
            throw InvalidSetting(description: "\(name) must not be negative.")
        }
        guard first <= catalogue.count, tracks <= catalogue.count - first else {
            throw InvalidSetting(
                description: "The catalogue has \(catalogue.count) recordings, fewer than first + tracks.")
        }
        let releases = catalogue.artists * Edition.allCases.count
        guard albums <= releases else {
            throw InvalidSetting(description: "The catalogue has \(releases) releases, fewer than albums.")
        }
        guard playlists <= 10_000, entries <= 11_000 else {
            throw InvalidSetting(description: "There are at most 10,000 playlists of 11,000 entries.")
        }
        guard uploads ?? 0 <= tracks else { throw InvalidSetting(description: "uploads must not exceed tracks.") }
    }
}
