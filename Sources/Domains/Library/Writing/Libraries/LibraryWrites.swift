import Library
import Model

/// What one call writes to a library besides the rows of its items: keys, counts, search texts and the change log.
package struct LibraryWrites {
    let libraryID: Int64
    let userID: String
    /// The number of the sync that the change log refers to.
    let sync: Int64
    package let now: Timestamp
    package var counts = LibraryCounts()
    var texts: [(id: Int64, text: SearchText)] = []
    var removedTexts: [Int64] = []
    private(set) var changes: [LibraryChange] = []
    /// Whether rows that people see were written.
    package var isChanged = false
    /// Whether songs have different values for matching now, or belong to different tracks.
    var changesSongs = false
    /// The key that was assigned last.
    package private(set) var lastKey: Int64
    private let firstKey: Int64

    init(libraryID: Int64, userID: String, sync: Int64, now: Timestamp, lastKey: Int64) {
        (self.libraryID, self.userID, self.sync, self.now) = (libraryID, userID, sync, now)
        (self.lastKey, firstKey) = (lastKey, lastKey)
    }

    var hasNewKeys: Bool { lastKey != firstKey }

    /// Returns a key that is higher than all others.
    package mutating func nextKey() -> Int64 {
        lastKey = max(lastKey + 1, LibraryID(first: now).key)
        return lastKey
    }

    /// Adds an entry for the change log.
    package mutating func logChange(
        _ kind: LibraryChangeKind, _ list: SourceList, _ itemID: Int64, of source: MusicSource, title: String,
        replacing entriesVersion: Int64? = nil
    ) {
        changes.append(
            LibraryChange(
                id: nextKey(), kind: kind, item: list.item, itemID: itemID, source: source, title: title,
                entriesVersion: entriesVersion))
    }
}
