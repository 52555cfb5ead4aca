import Model
import Storage

/// A playlist of one source: a row of `library_playlists`.
package struct LibraryPlaylist: Sendable, Hashable, Identifiable {
    package var id: LibraryID
    package var source: MusicSource
    package var sourceID: String
    package var name: String
    package var description: String?
    package var ownerID: String?
    package var ownerName: String?
    package var isPublic: Bool?
    package var isCollaborative: Bool?
    package var canEdit: Bool?
    package var artworkURL: String?
    /// The number of entries as the source tells it.
    package var entryCount: Int
    /// `none` before they were read, `read`, or `forbidden`: the source names the playlist but not its entries.
    package var entriesState: String
    package var addedAt: Timestamp?
    package var missingSince: Timestamp?
    let nameKey: String
    /// Which of the stored entries are the present ones.
    let entriesVersion: Int64
    /// How often they were changed here.
    private let edits: Int64

    /// The version of the entries, by which positions are named. Entries that differ have another one.
    package var version: String { "\(entriesVersion)-\(edits)" }

    static let columns = SQL(
        """
        id, source, source_id, name, name_key, description, owner_id, owner_name, is_public, is_collaborative, \
        can_edit, artwork, entry_count, entries_version, edits, entries_state, added_at, missing_since
        """)

    init(row: Row) throws {
        id = LibraryID(key: try row["id"])
        source = try MusicSource(row: row)
        sourceID = try row["source_id"]
        name = try row["name"]
        nameKey = try row["name_key"]
        description = try row["description"]
        ownerID = try row["owner_id"]
        ownerName = try row["owner_name"]
        isPublic = try row["is_public"]
        isCollaborative = try row["is_collaborative"]
        canEdit = try row["can_edit"]
        artworkURL = try row["artwork"]
        entryCount = try row["entry_count"]
        entriesVersion = try row["entries_version"]
        edits = try row["edits"]
        entriesState = try row["entries_state"]
        addedAt = try row["added_at"]
        missingSince = try row["missing_since"]
    }
}

/// An entry of a playlist.
package struct LibraryPlaylistEntry: Sendable, Hashable {
    /// From 0; entries that are no tracks have positions, too.
    package var position: Int
    /// `track`, `local`, `episode` or `unavailable`.
    package var kind: String
    /// The title as the playlist's source has it.
    package var title: String?
    package var addedAt: Timestamp?
    /// `nil` for entries that are no tracks.
    package var track: LibraryTrack?
}
