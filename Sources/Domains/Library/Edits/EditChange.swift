import Library
import Model

/// A change that a user wants to make at a service.
package enum EditChange: Sendable, Hashable {
    case save([SongReference], MusicSource)
    case unsave([SongReference], MusicSource)
    case createPlaylist(
        name: String, description: String?, isPublic: Bool, tracks: [SongReference], MusicSource)
    case addTracks([SongReference], playlist: LibraryID)
    /// - Parameter version: the version of the list that the positions refer to (``LibraryPlaylist/version``).
    case removeEntries(positions: [Int], version: String, playlist: LibraryID)
    /// Puts back the songs that an edit has left missing (``LibraryEdit/missing``).
    case putBackMissing(edit: LibraryID)
    case rename(name: String?, description: String?, playlist: LibraryID)
}

/// Which changes a user may make to a playlist, and why not more.
package struct PlaylistPermissions: Sendable, Hashable {
    package var canAdd: Bool
    package var canRemove: Bool
    package var canRename: Bool
    /// Why some changes are not possible, for people; `nil` if all are.
    package var refusal: String?

    /// - Parameter ownIDs: the user's ids at Spotify; empty if they are not known.
    package init(of playlist: LibraryPlaylist, ownIDs: [String]) {
        let source = playlist.source
        let isGone = playlist.missingSince != nil
        guard !playlist.isOfFile else {
            (canAdd, canRemove, canRename) = (false, false, false)
            refusal = "\(EditRefusal.playlistOfFile)"
            return
        }
        switch source {
        case .spotify:
            let isOwn = playlist.ownerID.map { ownIDs.contains($0) } ?? true
            canAdd = !isGone && (isOwn || playlist.isCollaborative == true)
            let unread = EditRefusal.unreadEntries(of: playlist)
            canRemove = canAdd && unread == nil
            canRename = !isGone && isOwn
            refusal =
                if isGone {
                    "\(EditRefusal.playlistGone(source))"
                } else if !isOwn {
                    "\(EditRefusal.notYourPlaylist(source))"
                } else {
                    unread.map { "\($0)" }
                }
        case .appleMusic:
            canAdd = !isGone && playlist.canEdit != false
            (canRemove, canRename) = (false, false)
            refusal =
                if isGone {
                    "\(EditRefusal.playlistGone(source))"
                } else if !canAdd {
                    "\(EditRefusal.notYourPlaylist(source))"
                } else {
                    "Apple Music only lets other apps add songs to a playlist. Make other changes in the Music app."
                }
        case .file:
            (canAdd, canRemove, canRename) = (false, false, false)
            refusal = "\(EditRefusal.playlistOfFile)"
        }
    }
}
