import Library
import Model

/// Why a change is refused before anything is written.
package enum EditRefusal: Error, Sendable, Hashable {
    case noTrack
    case noPlaylist
    case noEdit
    /// The edit has no open question.
    case notUnclear
    /// None of the songs that the edit removed are missing any more.
    case nothingMissing
    /// The service's library has not been read yet.
    case sourceNotRead(MusicSource)
    /// The song is not known at the service.
    ///
    /// - Parameter title: the song's title; `nil` for an id in another service's catalog.
    case trackNotInSource(MusicSource, title: String?)
    /// The id is not a valid id of the service's catalog.
    case invalidCatalogID(MusicSource, String)
    case notYourPlaylist(MusicSource)
    /// The playlist came from a file, such as an export of Apple's Music app.
    case playlistOfFile
    /// The service no longer has the playlist.
    case playlistGone(MusicSource)
    /// The entries have not been read yet.
    case playlistNotRead(MusicSource)
    /// The service does not show the entries to the user.
    case entriesNotShown(MusicSource)
    case playlistChanged
    /// The entry is not one of the service's songs: it is a local file or an episode.
    case entryNotRemovable(position: Int, kind: String)
    case notSupported(MusicSource, Operation)
    case tooManyEdits

    /// Operations that Apple Music does not offer to other apps.
    package enum Operation: Sendable, Hashable {
        case unsave, removeEntries, rename, makePublic
    }

    /// The error code in the API.
    package var code: String {
        switch self {
        case .noTrack, .noPlaylist, .noEdit: "notFound"
        case .notUnclear: "notUnclear"
        case .nothingMissing: "nothingMissing"
        case .sourceNotRead: "sourceNotRead"
        case .trackNotInSource, .entryNotRemovable: "trackNotInSource"
        case .invalidCatalogID: "invalidField"
        case .notYourPlaylist: "notYourPlaylist"
        case .playlistNotRead, .entriesNotShown: "playlistNotRead"
        case .playlistChanged, .playlistGone: "playlistChanged"
        case .notSupported, .playlistOfFile: "notSupportedBySource"
        case .tooManyEdits: "tooManyEdits"
        }
    }
}

extension EditRefusal {
    /// Why the entries of a playlist cannot be changed; `nil` if they are known.
    package static func unreadEntries(of playlist: LibraryPlaylist) -> EditRefusal? {
        switch playlist.entriesState {
        case "read": nil
        case "forbidden": .entriesNotShown(playlist.source)
        default: .playlistNotRead(playlist.source)
        }
    }
}

extension EditRefusal: CustomStringConvertible {
    /// A description for people.
    package var description: String {
        switch self {
        case .noTrack: "You have no track with this id."
        case .noPlaylist: "You have no playlist with this id."
        case .noEdit: "You have no edit with this id."
        case .notUnclear: "This edit no longer needs an answer. Nothing has changed."
        case .nothingMissing:
            "No songs of this edit are missing, or they are already being put back. Nothing has changed."
        case .sourceNotRead(let source):
            "Your \(source.displayName) library has not been read yet. Wait for its first sync, or start one "
                + "(POST /v1/library/syncs)."
        case .trackNotInSource(let source, let title?):
            "“\(title)” is not known at \(source.displayName). Search for it there, and use the song that you find."
        case .trackNotInSource(let source, nil):
            "The song is from another service's catalog, but this change is for \(source.displayName)."
        case .invalidCatalogID(let source, let id):
            "“\(id.prefix(40))” is not an id in \(source.displayName)'s catalog."
        case .notYourPlaylist(let source):
            "This playlist belongs to somebody else. \(source.displayName) lets only its owner change it."
        case .playlistOfFile: "This playlist came from a file. Copy it to a service to change it there."
        case .playlistGone(let source):
            "\(source.displayName) no longer has this playlist."
        case .playlistNotRead(let source):
            "The songs of this playlist have not been read from \(source.displayName) yet. Wait for the next sync."
        case .entriesNotShown(let source):
            "\(source.displayName) does not show the songs of this playlist, since it belongs to somebody else."
        case .playlistChanged:
            "The list has changed since you saw it, so its positions are different now. Nothing was removed. Look "
                + "at it again."
        case .entryNotRemovable(let position, let kind):
            kind == "local"
                ? "Entry \(position + 1) is a file on a device. Only Spotify's own app can remove it."
                : "Entry \(position + 1) is not a song, so it cannot be removed here. Remove it in Spotify's app."
        case .notSupported(let source, let operation): operation.text(of: source)
        case .tooManyEdits:
            "Too many earlier changes are still being made. Wait until some of them are done."
        }
    }
}

extension EditRefusal.Operation {
    fileprivate func text(of source: MusicSource) -> String {
        let name = source.displayName
        return switch self {
        case .unsave: "\(name) does not let other apps remove songs from a library. Remove it in the Music app."
        case .removeEntries: "\(name) does not let other apps remove or move songs in a playlist. Use the Music app."
        case .rename: "\(name) does not let other apps rename a playlist. Rename it in the Music app."
        case .makePublic: "\(name) does not let other apps publish a playlist. Publish it in the Music app."
        }
    }
}
