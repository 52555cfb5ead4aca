import Model

/// A song that a person names for a change at a service.
package enum EditTrackReference: Sendable, Hashable {
    case library(LibraryID)
    /// An id of a service's catalog.
    case catalog(MusicSource, String)

    /// An id of the API: of a song of the library, or `spotify:ID` or `appleMusic:ID`; `nil` for another text.
    package init?(_ text: String) {
        if let id = LibraryID(text) {
            self = .library(id)
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let source = MusicSource(service: String(parts[0])), !parts[1].isEmpty else {
            return nil
        }
        self = .catalog(source, String(parts[1]))
    }
}

/// What a person wants to change at a service.
package enum EditChange: Sendable, Hashable {
    case save([EditTrackReference], MusicSource)
    case unsave([EditTrackReference], MusicSource)
    case createPlaylist(
        name: String, description: String?, isPublic: Bool, tracks: [EditTrackReference], MusicSource)
    case addTracks([EditTrackReference], playlist: LibraryID)
    /// - Parameter version: of the list whose positions these are (``LibraryPlaylist/version``).
    case removeEntries(positions: [Int], version: String, playlist: LibraryID)
    /// Puts back the songs that an edit has left missing (``LibraryEdit/missing``).
    case putBackMissing(edit: LibraryID)
    case rename(name: String?, description: String?, playlist: LibraryID)
}

/// What a person may change of a playlist, and why not more.
package struct PlaylistPermissions: Sendable, Hashable {
    package var canAdd: Bool
    package var canRemove: Bool
    package var canRename: Bool
    /// Why not everything can be changed, for people.
    package var refusal: String?

    /// - Parameter ownIDs: the person's ids at Spotify; empty where they are not known.
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
                    "Apple Music lets other apps add songs to a playlist alone. Change the rest in the Music app."
                }
        case .file:
            (canAdd, canRemove, canRename) = (false, false, false)
            refusal = "\(EditRefusal.playlistOfFile)"
        }
    }
}
