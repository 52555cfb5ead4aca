import Model
import Storage

/// Something that happened to a library: a row of `library_changes`.
package struct LibraryChangeRecord: Sendable, Hashable, Identifiable {
    package var id: LibraryID
    package var at: Timestamp
    /// `added`, `missing`, `returned` or `changed`.
    package var kind: String
    /// `track`, `playlist` or `album`.
    package var item: String
    /// The track, playlist or album as the API names it. A track that was merged into another is that one.
    package var itemID: LibraryID
    package var source: MusicSource
    package var title: String
    /// The id of the sync that found it; `nil` once that sync is forgotten.
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
