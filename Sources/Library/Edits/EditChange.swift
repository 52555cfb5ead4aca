import Model

/// A song that a user names in a change at a service.
package enum EditTrackReference: Sendable, Hashable {
    case library(LibraryID)
    /// An id in a service's catalog.
    case catalog(MusicSource, String)

    /// Parses an id as used in the API: the id of a track of the library, `spotify:ID` or `appleMusic:ID`; returns
    /// `nil` for any other text.
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

    /// The reference in the form that `init(_:)` parses.
    package var text: String {
        switch self {
        case .library(let id): id.text
        case .catalog(let source, let id): "\(source.rawValue):\(id)"
        }
    }
}

/// A change that a user wants to make at a service.
package enum EditChange: Sendable, Hashable {
    case save([EditTrackReference], MusicSource)
    case unsave([EditTrackReference], MusicSource)
    case createPlaylist(
        name: String, description: String?, isPublic: Bool, tracks: [EditTrackReference], MusicSource)
    case addTracks([EditTrackReference], playlist: LibraryID)
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
