import Model

/// Why a change is refused before anything is written.
package enum EditRefusal: Error, Sendable, Hashable {
    case noTrack
    case noPlaylist
    case noEdit
    /// Nobody asked about the edit.
    case notUnclear
    /// No songs are missing any more that the edit has removed.
    case nothingMissing
    /// The service's library was not read yet.
    case sourceNotRead(MusicSource)
    /// The song is not known at the service.
    ///
    /// - Parameter title: `nil` for an id of another service's catalog.
    case trackNotInSource(MusicSource, title: String?)
    /// An id that no catalog of the service can have.
    case invalidCatalogID(MusicSource, String)
    case notYourPlaylist(MusicSource)
    /// It came with a file, also with that of Apple's Music app.
    case playlistOfFile
    /// The service has the playlist no more.
    case playlistGone(MusicSource)
    /// The entries were not read yet.
    case playlistNotRead(MusicSource)
    /// The service does not show the entries to the person.
    case entriesNotShown(MusicSource)
    case playlistChanged
    /// An entry that is no song of the service: a file of a device, an episode.
    case entryNotRemovable(position: Int, kind: String)
    case notSupported(MusicSource, Operation)
    case tooManyEdits

    /// What Apple Music does not offer to other apps.
    package enum Operation: Sendable, Hashable {
        case unsave, removeEntries, rename, makePublic
    }

    /// The `code` of the API.
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
    /// Why nothing can be done with the entries of a playlist that are not known; `nil` when they are.
    package static func unreadEntries(of playlist: LibraryPlaylist) -> EditRefusal? {
        switch playlist.entriesState {
        case "read": nil
        case "forbidden": .entriesNotShown(playlist.source)
        default: .playlistNotRead(playlist.source)
        }
    }
}

extension EditRefusal: CustomStringConvertible {
    /// For people.
    package var description: String {
        switch self {
        case .noTrack: "You have no track with this id."
        case .noPlaylist: "You have no playlist with this id."
        case .noEdit: "You have no edit with this id."
        case .notUnclear: "Nothing is asked about this edit any more. Nothing has changed."
        case .nothingMissing:
            "No songs of this edit are missing, or they are being put back already. Nothing has changed."
        case .sourceNotRead(let source):
            "Your \(source.displayName) library was not read yet. Wait for its first sync, or begin one "
                + "(POST /v1/library/syncs)."
        case .trackNotInSource(let source, let title?):
            "“\(title)” is not known at \(source.displayName). Search for it there, and use the song that you find."
        case .trackNotInSource(let source, nil):
            "The song is of another service's catalog, and this is about \(source.displayName)."
        case .invalidCatalogID(let source, let id):
            "“\(id.prefix(40))” is no id of \(source.displayName)'s catalog."
        case .notYourPlaylist(let source):
            "This playlist belongs to somebody else. \(source.displayName) lets only its owner change it."
        case .playlistOfFile: "This playlist came with a file. Copy it to a service to change it there."
        case .playlistGone(let source):
            "\(source.displayName) does not have this playlist any more."
        case .playlistNotRead(let source):
            "The songs of this playlist were not read from \(source.displayName) yet. Wait for the next sync."
        case .entriesNotShown(let source):
            "\(source.displayName) does not let the songs of this playlist be read, since it belongs to somebody else."
        case .playlistChanged:
            "The list has changed since you saw it, so that its positions are others now. Nothing was removed. Look "
                + "at it again."
        case .entryNotRemovable(let position, let kind):
            kind == "local"
                ? "Entry \(position + 1) is a file of a device. Spotify lets only its own app remove it."
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
        case .unsave: "\(name) lets no other app remove songs from a library. Remove it in the Music app."
        case .removeEntries: "\(name) lets no other app remove or move songs of a playlist. Do it in the Music app."
        case .rename: "\(name) lets no other app rename a playlist. Rename it in the Music app."
        case .makePublic: "\(name) lets no other app publish a playlist. Publish it in the Music app."
        }
    }
}
