import Foundation
import Model
import Platform
import Upstream

/// The three library changes that Apple offers to other apps. They become visible with a delay.
///
/// The transport repeats none of them: a call with an unknown outcome (no answer, 5xx) throws an error that says so
/// (`ProviderFailure.Outcome.unknown`).
extension AppleMusicClient {
    /// `POST /me/library?ids[songs]=`: saves songs from the catalog. Songs that are already saved do not change.
    ///
    /// - Parameter ids: catalog ids; at most 100. Apple documents no limit.
    /// - Throws: ``AppleMusicError``, and the errors of the transport.
    package func save(songs ids: [String]) async throws {
        _ = try await answer(.post, "/me/library", query: [("ids[songs]", ids.joined(separator: ","))])
    }

    /// `POST /me/library/playlists`.
    ///
    /// - Returns: the id of the new playlist.
    /// - Throws: as ``save(songs:)``; `unreadable` when the answer contains no id.
    package func createPlaylist(name: String, description: String?) async throws -> String {
        let asked = NewPlaylist(attributes: .init(name: name, description: description))
        let made = try await answer(
            .post, "/me/library/playlists", body: Array(try JSONEncoder().encode(asked)))
        let list = try Self.document(ResourceList<Resource>.self, of: made)
        guard let id = list.resources.lazy.compactMap(\.value?.id).first, !id.isEmpty else {
            throw AppleMusicError.unreadable
        }
        return id
    }

    /// `POST /me/library/playlists/{id}/tracks`: adds songs at the end. Songs that the playlist already has are added
    /// again.
    ///
    /// - Parameter ids: catalog ids or library ids (`i.…`); at most 100.
    /// - Throws: as ``save(songs:)``.
    package func add(songs ids: [String], to playlist: String) async throws {
        let songs = Additions(data: ids.map { .init(id: $0, type: $0.hasPrefix("i.") ? "library-songs" : "songs") })
        _ = try await answer(
            .post, "/me/library/playlists/\(playlist.percentEncoded)/tracks",
            body: Array(try JSONEncoder().encode(songs)))
    }

    /// `GET /me/library/playlists/{id}/tracks` with one song, for the number of entries.
    ///
    /// - Returns: 0 for an empty playlist; `nil` if Apple does not report the number, and for a playlist that no longer
    ///   exists.
    /// - Throws: as ``save(songs:)``.
    package func entryCount(of playlist: String) async throws -> Int? {
        do {
            return try await read(
                "/me/library/playlists/\(playlist.percentEncoded)/tracks", query: [("limit", "1")],
                as: ResourceList<Resource>.self
            ).total
        } catch let error as AppleMusicError {
            if error.isEmptyList { return 0 }
            guard case .requestRefused(status: 404, code: _) = error else { throw error }
            return nil
        }
    }
}

private struct NewPlaylist: Encodable {
    struct Attributes: Encodable {
        var name: String
        var description: String?
    }

    var attributes: Attributes
}

private struct Additions: Encodable {
    struct Song: Encodable {
        var id: String
        var type: String
    }

    var data: [Song]
}
