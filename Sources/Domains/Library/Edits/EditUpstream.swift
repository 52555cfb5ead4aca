import LibraryWriting
import Model

/// A service that edits are written to, for one user. The closures make the calls; each throws `ProviderFailure`.
package struct EditUpstream: Sendable {
    /// A playlist that the service created.
    package struct CreatedPlaylist: Sendable, Hashable {
        package var sourceID: String
        package var version: String?
        package var ownerID: String?
        package var ownerName: String?

        package init(sourceID: String, version: String?, ownerID: String? = nil, ownerName: String? = nil) {
            (self.sourceID, self.version) = (sourceID, version)
            (self.ownerID, self.ownerName) = (ownerID, ownerName)
        }
    }

    /// Reads from the same service.
    package var library: LibrarySource
    package var save: @Sendable ([EditTrack]) async throws -> Void
    /// `nil` if the service does not offer it.
    package var unsave: (@Sendable ([EditTrack]) async throws -> Void)?
    /// Whether songs are saved, in the given order; `nil` if the service does not report it, in which case saving a
    /// song again has no effect.
    package var areSaved: (@Sendable ([EditTrack]) async throws -> [Bool])?
    package var create:
        @Sendable (_ name: String, _ description: String?, _ isPublic: Bool) async throws -> CreatedPlaylist
    /// Adds songs at the end. Returns the list's new version, if the service reports one.
    package var append: @Sendable (_ playlist: String, [EditTrack]) async throws -> String?
    package var insert: (@Sendable (_ playlist: String, [EditTrack], _ position: Int) async throws -> String?)?
    /// Removes every entry of some songs.
    package var remove: (@Sendable (_ playlist: String, _ ids: [String]) async throws -> String?)?
    package var rename: (@Sendable (_ playlist: String, _ name: String, _ description: String?) async throws -> Void)?
    /// The number of entries of a playlist and their version; `nil` if the service no longer has the playlist.
    package var mark: @Sendable (_ playlist: String) async throws -> PlaylistMark?
    /// Describes songs of the catalog, in any order. Songs that the service does not have are left out.
    package var describe: @Sendable (_ ids: [String]) async throws -> [SourceTrack]
    /// Whether its write requests ask ``WriteAdmission/current`` before they are sent. Otherwise, a write is recorded
    /// before it is started.
    package var asksForAdmission = false

    package init(
        library: LibrarySource,
        save: @escaping @Sendable ([EditTrack]) async throws -> Void,
        unsave: (@Sendable ([EditTrack]) async throws -> Void)? = nil,
        areSaved: (@Sendable ([EditTrack]) async throws -> [Bool])? = nil,
        create: @escaping @Sendable (String, String?, Bool) async throws -> CreatedPlaylist,
        append: @escaping @Sendable (String, [EditTrack]) async throws -> String?,
        insert: (@Sendable (String, [EditTrack], Int) async throws -> String?)? = nil,
        remove: (@Sendable (String, [String]) async throws -> String?)? = nil,
        rename: (@Sendable (String, String, String?) async throws -> Void)? = nil,
        mark: @escaping @Sendable (String) async throws -> PlaylistMark?,
        describe: @escaping @Sendable ([String]) async throws -> [SourceTrack]
    ) {
        (self.library, self.save, self.unsave, self.areSaved) = (library, save, unsave, areSaved)
        (self.create, self.append, self.insert, self.remove) = (create, append, insert, remove)
        (self.rename, self.mark, self.describe) = (rename, mark, describe)
    }
}

extension MusicSource {
    /// Whether a failed request may have added some of its songs. Spotify adds all or none; Apple does not guarantee
    /// anything.
    var writesInParts: Bool { self == .appleMusic }

    /// The maximum number of songs per write. An edit is divided into steps of this size.
    package var saveChunk: Int {
        switch self {
        // developer.spotify.com: `PUT /me/library` accepts 40.
        case .spotify: 40
        case .appleMusic, .file: 100
        }
    }

    package var playlistChunk: Int {
        switch self {
        // developer.spotify.com: `POST /playlists/{id}/items` accepts 100; Apple documents no limit.
        case .spotify, .appleMusic, .file: 100
        }
    }
}
