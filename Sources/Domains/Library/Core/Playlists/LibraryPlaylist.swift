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
    /// Whether it came from a file, such as an export of the Music app's library.
    package var isOfFile: Bool
    package var artworkURL: String?
    /// The number of entries that the source reports.
    package var entryCount: Int
    /// `none` before the entries were read, `read`, or `forbidden` if the source lists the playlist but not its
    /// entries.
    package var entriesState: String
    package var addedAt: Timestamp?
    package var missingSince: Timestamp?
    /// When its source was last read to the end, or, before that and for files, when it was written.
    package var lastSyncedAt: Timestamp
    let nameKey: String
    /// The version number of the stored entries that are current.
    package let entriesVersion: Int64
    /// How many times the entries were edited in Backline.
    private let edits: Int64

    /// The version of the entries that positions refer to. Different entries have a different version.
    package var version: String { "\(entriesVersion)-\(edits)" }

    package static let columns = SQL(
        """
        id, source, source_id, name, name_key, description, owner_id, owner_name, is_public, is_collaborative, \
        can_edit, artwork, entry_count, entries_version, edits, entries_state, added_at, missing_since, \
        COALESCE((SELECT completed_at FROM library_sources \
        WHERE library_sources.library_id = library_playlists.library_id \
        AND library_sources.source = library_playlists.source), synced_at) AS last_synced_at, \
        (SELECT COUNT(*) FROM library_accounts WHERE library_accounts.library_id = library_playlists.library_id \
        AND library_accounts.source = library_playlists.source AND library_accounts.id = library_playlists.account_id \
        AND library_accounts.account = 'file') AS file_accounts
        """)

    package init(row: Row) throws {
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
        let fileAccounts: Int = try row["file_accounts"]
        isOfFile = fileAccounts > 0
        artworkURL = try row["artwork"]
        entryCount = try row["entry_count"]
        entriesVersion = try row["entries_version"]
        edits = try row["edits"]
        entriesState = try row["entries_state"]
        addedAt = try row["added_at"]
        missingSince = try row["missing_since"]
        lastSyncedAt = try row["last_synced_at"]
    }
}

/// An entry of a playlist.
package struct LibraryPlaylistEntry: Sendable, Hashable {
    /// Counted from 0; entries that are not tracks have positions, too.
    package var position: Int
    /// `track`, `local`, `episode` or `unavailable`.
    package var kind: String
    /// The title according to the playlist's source.
    package var title: String?
    package var addedAt: Timestamp?
    /// `nil` for entries that are not tracks.
    package var track: LibraryTrack?
}
