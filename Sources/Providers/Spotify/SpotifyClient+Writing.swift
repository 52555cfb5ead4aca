import Foundation
import Model
import Platform
import Upstream

/// Changes of a person's library and playlists.
///
/// A call with an unknown outcome (no answer, 5xx) throws an error that says so (`ProviderFailure.Outcome.unknown`):
/// read before writing again. The transport repeats only calls that do no harm when made twice.
extension SpotifyClient {
    /// A playlist that was created.
    package struct NewPlaylist: Sendable, Hashable {
        package var id: String
        /// `snapshot_id`.
        package var version: String?
        package var ownerID: String?
        package var ownerName: String?
    }

    // MARK: Saved tracks

    /// `PUT /me/library`: saves tracks, the last one on top. Tracks that are already saved keep their position. It
    /// needs `user-library-modify`.
    ///
    /// - Parameter ids: at most 40, which is the limit of `/me/library`.
    /// - Throws: ``SpotifyError``, and the errors of `send`.
    package func save(tracks ids: [String]) async throws {
        // The URIs are only in the query: Spotify ignores a body.
        _ = try await perform(.put, "/me/library", query: [("uris", Self.list(ids))])
    }

    /// `DELETE /me/library`, like ``save(tracks:)``.
    package func unsave(tracks ids: [String]) async throws {
        _ = try await perform(.delete, "/me/library", query: [("uris", Self.list(ids))])
    }

    /// `GET /me/library/contains`: whether tracks are saved, in the order of the ids. It needs `user-library-read`.
    ///
    /// - Throws: as ``save(tracks:)``.
    package func areSaved(tracks ids: [String]) async throws -> [Bool] {
        let answer = try await read("/me/library/contains", query: [("uris", Self.list(ids))], as: [Bool].self)
        guard answer.count == ids.count else {
            throw SpotifyError.invalidResponse(reason: "it has \(answer.count) values for \(ids.count) tracks")
        }
        return answer
    }

    // MARK: Playlists

    /// `POST /me/playlists`. It needs `playlist-modify-private`, or `playlist-modify-public` for a public one.
    ///
    /// - Parameter isPublic: always sent, since Spotify makes the playlist public without it.
    /// - Throws: as ``save(tracks:)``.
    package func createPlaylist(
        name: String, description: String?, isPublic: Bool
    ) async throws -> NewPlaylist {
        let details = Details(name: name, description: description, isPublic: isPublic)
        let made = try await change(.post, "/me/playlists", body: details, as: PlaylistObject.self)
        guard let playlist = made.sourcePlaylist else {
            throw SpotifyError.invalidResponse(reason: "the new playlist has no id")
        }
        return NewPlaylist(
            id: playlist.sourceID, version: playlist.version, ownerID: playlist.ownerID, ownerName: playlist.ownerName)
    }

    /// `POST /playlists/{id}/items`: adds tracks. Tracks that the playlist already has are added again.
    ///
    /// - Parameters:
    ///   - ids: at most 100, which is the limit of calls that change a playlist.
    ///   - position: counted from 0; `nil` for the end.
    /// - Returns: the version of the list after the change.
    /// - Throws: as ``save(tracks:)``; `forbidden` for somebody else's playlist.
    package func add(tracks ids: [String], to playlist: String, at position: Int? = nil) async throws -> String? {
        try await changeEntries(.post, of: playlist, Additions(uris: ids.map(Self.uri), position: position))
    }

    /// `DELETE /playlists/{id}/items`: removes every entry of the given tracks.
    ///
    /// - Returns: as ``add(tracks:to:at:)``.
    /// - Throws: as ``add(tracks:to:at:)``.
    package func removeAllEntries(of ids: [String], from playlist: String) async throws -> String? {
        try await changeEntries(
            .delete, of: playlist, Removals(items: ids.map { Removals.Item(uri: Self.uri($0)) }))
    }

    /// `PUT /playlists/{id}`: changes the name, and the description if there is one.
    ///
    /// - Throws: as ``add(tracks:to:at:)``.
    package func changeDetails(of playlist: String, name: String, description: String?) async throws {
        let details = Details(name: name, description: description, isPublic: nil)
        _ = try await perform(
            .put, "/playlists/\(playlist.percentEncoded)", body: Array(try JSONEncoder().encode(details)))
    }

    /// `GET /playlists/{id}`, with only the version of the list and the number of its entries.
    ///
    /// - Returns: `nil` for a playlist that no longer exists.
    /// - Throws: as ``save(tracks:)``.
    package func playlistState(_ id: String) async throws -> SourcePlaylist? {
        let answer = try await read(
            "/playlists/\(id.percentEncoded)",
            // Apps in development mode get `items` instead of `tracks`.
            query: [("fields", "id,name,snapshot_id,items.total,tracks.total")], as: PlaylistObject.self,
            expecting: .notFound)
        return switch answer {
        case .value(let playlist): playlist.sourcePlaylist
        case .nothing, .notFound: nil
        case .forbidden(let reason): throw SpotifyError.forbidden(reason: reason)
        }
    }

    private func changeEntries(
        _ method: UpstreamRequest.Method, of playlist: String, _ body: some Encodable
    ) async throws -> String? {
        let path = "/playlists/\(playlist.percentEncoded)/items"
        return try await change(method, path, body: body, as: Snapshot.self).version
    }

    private static func uri(_ id: String) -> String { "spotify:track:\(id)" }

    private static func list(_ ids: [String]) -> String { ids.map(uri).joined(separator: ",") }
}

private struct Details: Encodable {
    var name: String
    var description: String?
    var isPublic: Bool?

    enum CodingKeys: String, CodingKey {
        case name, description
        case isPublic = "public"
    }
}

private struct Additions: Encodable {
    var uris: [String]
    var position: Int?
}

private struct Removals: Encodable {
    struct Item: Encodable {
        var uri: String
    }

    var items: [Item]
}

private struct Snapshot: Decodable {
    var version: String?

    enum CodingKeys: String, CodingKey {
        case version = "snapshot_id"
    }
}
