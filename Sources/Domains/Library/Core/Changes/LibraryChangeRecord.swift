import Model
import Storage

/// An event in a library's change log: a row of `library_changes`.
package struct LibraryChangeRecord: Sendable, Hashable, Identifiable {
    package var id: LibraryID
    package var at: Timestamp
    /// `added`, `missing`, `returned` or `changed`.
    package var kind: String
    /// `track`, `playlist` or `album`.
    package var item: String
    /// The API's id of the track, playlist or album. For a track that was merged into another one, it is the id of the
    /// other one.
    package var itemID: LibraryID
    package var source: MusicSource
    package var title: String
    /// The id of the sync that found the change; `nil` once that sync's record has been deleted.
    package var syncID: String?

    init(row: Row) throws {
        id = LibraryID(key: try row["id"])
        at = try row["at"]
        kind = try row["kind"]
        item = try row["item"]
        itemID = LibraryID(key: try row["item_id"])
        source = try MusicSource(row: row)
        title = try row["title"]
        syncID = try row["sync_id"]
    }
}
