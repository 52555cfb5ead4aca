import Model
import Storage

/// What one call writes to a library besides the rows of its items: keys, counts, search texts and the change log.
struct LibraryWrites {
    let libraryID: Int64
    let userID: String
    /// The number of the sync that the change log refers to.
    let sync: Int64
    let now: Timestamp
    var counts = LibraryCounts()
    var texts: [(id: Int64, text: SearchText)] = []
    var removedTexts: [Int64] = []
    private(set) var changes: [LibraryChange] = []
    /// Whether rows that people see were written.
    var isChanged = false
    /// Whether songs have different values for matching now, or belong to different tracks.
    var changesSongs = false
    /// The key that was assigned last.
    private(set) var lastKey: Int64
    private let firstKey: Int64

    init(libraryID: Int64, userID: String, sync: Int64, now: Timestamp, lastKey: Int64) {
        (self.libraryID, self.userID, self.sync, self.now) = (libraryID, userID, sync, now)
        (self.lastKey, firstKey) = (lastKey, lastKey)
    }

    var hasNewKeys: Bool { lastKey != firstKey }

    /// Returns a key that is higher than all others.
    mutating func nextKey() -> Int64 {
        lastKey = max(lastKey + 1, LibraryID(first: now).key)
        return lastKey
    }

    /// Adds an entry for the change log.
    mutating func note(
        _ kind: LibraryChangeKind, _ list: SourceList, _ itemID: Int64, of source: MusicSource, title: String,
        replacing entriesVersion: Int64? = nil
    ) {
        changes.append(
            LibraryChange(
                id: nextKey(), kind: kind, item: list.item, itemID: itemID, source: source, title: title,
                entriesVersion: entriesVersion))
    }
}

/// An entry for a library's change log.
struct LibraryChange: Sendable {
    let id: Int64
    let kind: LibraryChangeKind
    let item: String
    let itemID: Int64
    let source: MusicSource
    let title: String
    let entriesVersion: Int64?
}

extension LibraryStore where Access == WriteTransaction {
    func begin(library: Int64, userID: String, sync: Int64, now: Timestamp) throws -> LibraryWrites {
        LibraryWrites(libraryID: library, userID: userID, sync: sync, now: now, lastKey: try lastKey())
    }

    func begin(_ reading: SourceReading, now: Timestamp) throws -> LibraryWrites {
        try begin(library: reading.libraryID, userID: reading.userID, sync: reading.sync, now: now)
    }

    /// Writes what was collected. Without changes, it writes nothing.
    func finish(_ writes: LibraryWrites) throws {
        if writes.hasNewKeys { try transaction.run("UPDATE library_keys SET value = \(writes.lastKey)") }
        try insert(writes.changes, by: writes)
        try write(texts: writes.texts, removing: writes.removedTexts, library: writes.libraryID)
        guard
            writes.isChanged || writes.changesSongs || !writes.changes.isEmpty || writes.counts != LibraryCounts()
        else { return }
        let (counts, change) = (writes.counts, try transaction.nextChange())
        try transaction.run(
            """
            UPDATE libraries SET tracks = tracks + \(counts.tracks),
                apple_tracks = apple_tracks + \(counts.appleTracks),
                spotify_tracks = spotify_tracks + \(counts.spotifyTracks),
                shared_tracks = shared_tracks + \(counts.sharedTracks),
                missing_tracks = missing_tracks + \(counts.missingTracks),
                playlists = playlists + \(counts.playlists), albums = albums + \(counts.albums),
                change = \(change),
                songs_change = CASE WHEN \(writes.changesSongs) <> 0 THEN \(change) ELSE songs_change END
            WHERE user_id = \(writes.userID) AND id = \(writes.libraryID)
            """)
        transaction.noteChange(of: [writes.userID], topic: .library)
    }
}
