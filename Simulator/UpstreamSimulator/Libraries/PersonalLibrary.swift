import Foundation

/// One person's library at one service. It is a value: changes happen under the lock of ``LibraryRegistry``.
struct PersonalLibrary: Sendable {
    /// 1 November 2026: the date of the newest item with which a library starts, in seconds since 1970.
    static let newest: UInt32 = 1_793_491_200
    /// The owners of playlists that do not belong to the person.
    static let friend = "anna-from-work"
    static let editors = "spotify"

    let service: MusicService
    let catalog: RecordingCatalog
    let person: String
    let plan: LibraryPlan

    /// The saved tracks; at Spotify the newest come first, at Apple they are sorted by title.
    var saved: [SavedTrack] = []
    var albums: [SavedAlbum] = []
    var playlists: [SavedPlaylist] = []
    /// Spotify: the URIs of everything else that the person follows or has saved.
    var followed: Set<String> = []
    /// Titles that replace the catalog's, by the number of the entry.
    var titles: [UInt32: String] = [:]
    /// The removed tracks, the last removed at the end.
    var removed: [SavedTrack] = []
    /// The plays, the last one first.
    var plays: [Play] = []
    /// Apple: additions that are not shown yet, in the order in which they were made.
    var pending: [PendingAddition] = []
    var waiting: [(after: LibraryChange.After, change: LibraryChange)] = []

    let order: Shuffle
    private let key: UInt64
    private var generator: SeededGenerator
    private var clock = PersonalLibrary.newest
    /// How many recordings and playlists were added since the start.
    private var additions = 0
    private var lastSerial = 0

    init(_ plan: LibraryPlan, of person: String, on service: MusicService, catalog: RecordingCatalog) {
        self.service = service
        self.catalog = catalog
        self.person = person
        self.plan = plan
        order = Shuffle(count: catalog.count, key: Mix.of(plan.seed, 0x11b))
        key = Mix.of(Mix.of(person), plan.seed)
        generator = SeededGenerator(seed: plan.seed, stream: "library \(service.rawValue) \(person)")
        fillTracks()
        fillAlbums()
        fillPlaylists()
        fillPlays()
    }

    // MARK: Ids and texts

    /// The id under which the library lists a track.
    func id(of track: SavedTrack) -> String {
        switch service {
        case .spotify: catalog.spotifyID(.track, UInt64(track.entry.number))
        case .apple: appleID("i.", UInt64(track.entry.number) * 2 + (track.kind == .upload ? 1 : 0))
        }
    }

    /// Apple's ids of a library: a letter, a dot and 14 letters and digits.
    func appleID(_ prefix: String, _ number: UInt64) -> String {
        let value = Mix.of(key, number ^ Mix.of(prefix))
        return prefix + Base62.write(value, 11) + Base62.write(Mix.finish(value), 3)
    }

    func title(of entry: Entry) -> String {
        titles[entry.number] ?? catalog.title(of: entry, on: service)
    }

    /// Spotify's snapshot id of a playlist: it changes with each edit, and only then.
    func snapshot(of playlist: SavedPlaylist) -> String {
        var bytes = withUnsafeBytes(of: playlist.revision.bigEndian) { Array($0) }
        for part in 0..<3 {
            let mixed = Mix.of(Mix.of(playlist.id), UInt64(playlist.revision) << 8 | UInt64(part))
            bytes += withUnsafeBytes(of: mixed.bigEndian) { Array($0) }
        }
        return Data(bytes.prefix(24)).base64EncodedString()
    }

    /// Whether the person may read the playlist's items in development mode.
    func owns(_ playlist: SavedPlaylist) -> Bool { playlist.owner == person || playlist.isCollaborative }

    // MARK: The start

    private mutating func fillTracks() {
        let inner = Shuffle(count: max(1, plan.tracks), key: Mix.of(plan.seed, Mix.of(service.rawValue)))
        let uploads = service == .apple ? plan.uploads ?? (plan.oddities ? plan.tracks / 50 : 0) : 0
        let uploadEvery = uploads > 0 ? plan.tracks / uploads : .max
        saved.reserveCapacity(plan.tracks + (plan.hidden ?? 2) + plan.nulls)
        for index in 0..<plan.tracks {
            let recording = order[plan.first + inner[index]]
            var entry = catalog.usualEntry(of: recording, on: service)
            if plan.oddities, index % 100 == 99, let last = saved.last,
                let other = catalog.otherEntry(than: last.entry)
            {
                entry = other
            }
            clock -= 1 + UInt32(catalog.draw(recording, .library) % 1_500)
            let isUpload = index % uploadEvery == uploadEvery - 1 && index / uploadEvery < uploads
            saved.append(SavedTrack(entry: entry, addedAt: clock, kind: isUpload ? .upload : .readable))
        }
        clock = Self.newest
        if service == .apple { sortByTitle() }
        let hidden = plan.hidden ?? (service == .apple && plan.tracks >= 300 && plan.oddities ? 2 : 0)
        insert(hidden, .hidden, at: 150)
        if service == .spotify { insert(plan.nulls, .null, at: 7) }
    }

    /// An unreadable track is placed in the order next to its neighbor.
    private mutating func insert(_ count: Int, _ kind: SavedTrack.Kind, at position: Int) {
        guard count > 0 else { return }
        let index = min(position, saved.count)
        let neighbor =
            saved.isEmpty
            ? SavedTrack(entry: Entry(recording: 0, edition: .album), addedAt: clock)
            : saved[min(index, saved.count - 1)]
        let track = SavedTrack(entry: neighbor.entry, addedAt: neighbor.addedAt, kind: kind)
        saved.insert(contentsOf: Array(repeating: track, count: count), at: index)
    }

    private mutating func fillAlbums() {
        let releases = Edition.allCases.count
        let all = Shuffle(count: catalog.artists * releases, key: Mix.of(plan.seed, 0xa1b))
        for index in 0..<plan.albums {
            let number = all[index]
            let edition = Edition(rawValue: number % releases) ?? .album
            albums.append(
                SavedAlbum(
                    release: Release(artist: number / releases, edition: edition),
                    addedAt: Self.newest - 3_600 * UInt32(1 + index % 10_000)))
        }
    }

    // MARK: Order of titles

    private func sortKey(_ track: SavedTrack) -> String { title(of: track.entry).lowercased() }

    private mutating func sortByTitle() {
        let keyed = saved.map { (key: sortKey($0), track: $0) }
        saved = keyed.sorted { ($0.key, $0.track.entry.number) < ($1.key, $1.track.entry.number) }.map(\.track)
    }

    /// Inserts a track where its service lists it: Spotify at the top, Apple by its title.
    mutating func place(_ track: SavedTrack) {
        guard service == .apple else {
            saved.insert(track, at: 0)
            return
        }
        let key = sortKey(track)
        var low = 0
        var high = saved.count
        while low < high {
            let middle = (low + high) / 2
            let other = saved[middle]
            if (sortKey(other), other.entry.number) < (key, track.entry.number) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        saved.insert(track, at: low)
    }

    // MARK: For changes

    /// A minute later than anything before, or the present in a live library.
    mutating func tick() -> UInt32 {
        clock = plan.isLive ? max(clock, UInt32(Date().timeIntervalSince1970)) : clock + 60
        return clock
    }

    /// A recording that the library never had; at the end of the catalog it wraps around to known ones.
    mutating func nextRecording() -> Int {
        additions += 1
        return order[plan.first + plan.tracks + additions - 1]
    }

    mutating func random(below count: Int) -> Int { generator.number(in: 0...(count - 1)) }

    mutating func newPlaylistID() -> String {
        lastSerial += 1
        switch service {
        case .spotify:
            return catalog.spotifyID(.playlist, (Mix.of(person) & 0xffff_ffff) << 24 | UInt64(lastSerial))
        case .apple: return appleID("p.", UInt64(lastSerial))
        }
    }
}
