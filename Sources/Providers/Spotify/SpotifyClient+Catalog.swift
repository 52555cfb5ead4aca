import Model
import Platform
import Upstream

/// Searches Spotify's catalog and reads single items from it.
///
/// Apps in development mode also have these endpoints, with smaller pages and fewer members.
extension SpotifyClient {
    /// The most hits per type that an app in development mode gets in one answer: 11 would be refused.
    package static let searchPageSize = 10
    /// The largest offset of a search.
    package static let largestSearchOffset = 1_000
    /// The longest page of a top list.
    package static let topPageSize = 50
    /// The most albums of an artist that an app in development mode gets in one answer.
    package static let artistAlbumsPageSize = 10

    /// The hits of a search, by type. A type that was not requested is `nil`.
    package struct SearchResults: Sendable {
        package var tracks: SourcePage<CatalogTrack>?
        package var albums: SourcePage<CatalogAlbum>?
        package var artists: SourcePage<CatalogArtist>?
        package var playlists: SourcePage<CatalogPlaylist>?
    }

    /// `GET /search`, which needs no scope. Each page has at most ``searchPageSize`` hits; null hits, such as playlists
    /// of people who have left, are left out.
    ///
    /// - Parameters:
    ///   - types: at least one.
    ///   - offset: applies to every type, up to ``largestSearchOffset``.
    /// - Throws: ``SpotifyError``, and the errors of `send`.
    package func search(_ text: String, types: [CatalogType], offset: Int) async throws -> SearchResults {
        let answer = try await read(
            "/search",
            query: [
                ("q", text), ("type", types.map(\.rawValue).joined(separator: ",")),
                ("limit", String(Self.searchPageSize)), ("offset", String(offset)),
            ], as: SearchResponse.self)
        func page<Object, Item>(
            _ type: CatalogType, _ page: Page<Object>?, _ read: (Object) -> Item?
        ) throws -> SourcePage<Item>? {
            guard types.contains(type) else { return nil }
            guard let page else { throw SpotifyError.invalidResponse(reason: "it has no \(type.rawValue)s") }
            var result = page.sourcePage(at: offset, items: page.values.compactMap(read))
            if let next = result.nextOffset, next > Self.largestSearchOffset { result.nextOffset = nil }
            return result
        }
        return SearchResults(
            tracks: try page(.track, answer.tracks, \.track), albums: try page(.album, answer.albums, \.album),
            artists: try page(.artist, answer.artists, \.artist),
            playlists: try page(.playlist, answer.playlists, \.playlist))
    }

    /// `GET /me/top/artists`, in order of rank. It needs `user-top-read`, and is empty for a new user.
    ///
    /// - Throws: as ``search(_:types:offset:)``.
    package func topArtists(_ range: TopRange) async throws -> SourcePage<CatalogArtist> {
        let page = try await read(
            "/me/top/artists", query: Self.top(range), as: Page<CatalogArtistObject>.self)
        return page.sourcePage(at: 0, items: page.values.compactMap(\.artist))
    }

    /// `GET /me/top/tracks`, like ``topArtists(_:)``.
    package func topTracks(_ range: TopRange) async throws -> SourcePage<CatalogTrack> {
        let page = try await read("/me/top/tracks", query: Self.top(range), as: Page<CatalogTrackObject>.self)
        return page.sourcePage(at: 0, items: page.values.compactMap(\.track))
    }

    private static func top(_ range: TopRange) -> [(name: String, value: String)] {
        [("time_range", range.rawValue), ("limit", String(topPageSize))]
    }

    // MARK: Single items

    /// `GET /tracks/{id}`.
    ///
    /// - Returns: `nil` for an id that Spotify does not have. Spotify answers 400 for a malformed id.
    /// - Throws: as ``search(_:types:offset:)``.
    package func track(_ id: String) async throws -> CatalogTrack? {
        try await item("tracks", id, as: CatalogTrackObject.self)?.track
    }

    /// `GET /artists/{id}`, like ``track(_:)``.
    package func artist(_ id: String) async throws -> CatalogArtist? {
        try await item("artists", id, as: CatalogArtistObject.self)?.artist
    }

    /// `GET /artists/{id}/albums`: the artist's own albums and singles, not ordered by date.
    ///
    /// - Throws: as ``search(_:types:offset:)``.
    package func albums(ofArtist id: String, offset: Int) async throws -> SourcePage<CatalogAlbum>? {
        let page = try await item(
            "artists", id, "/albums",
            query: [
                ("include_groups", "album,single"), ("limit", String(Self.artistAlbumsPageSize)),
                ("offset", String(offset)),
            ], as: Page<CatalogAlbumObject>.self)
        return page.map { $0.sourcePage(at: offset, items: $0.values.compactMap(\.album)) }
    }

    /// `GET /albums/{id}`, with the first page of its tracks; like ``track(_:)``.
    package func album(
        _ id: String
    ) async throws -> (album: CatalogAlbum, tracks: SourcePage<CatalogTrack>?)? {
        guard let object = try await item("albums", id, as: CatalogAlbumObject.self), let album = object.album else {
            return nil
        }
        return (album, object.tracks.map { $0.sourcePage(at: 0, items: $0.values.compactMap(\.track)) })
    }

    /// `GET /albums/{id}/tracks`, whose items have neither album nor ISRC; like ``track(_:)``.
    package func tracks(ofAlbum id: String, offset: Int) async throws -> SourcePage<CatalogTrack>? {
        let page = try await item(
            "albums", id, "/tracks",
            query: [("limit", String(Self.libraryPageSize)), ("offset", String(offset))],
            as: Page<CatalogTrackObject>.self)
        return page.map { $0.sourcePage(at: offset, items: $0.values.compactMap(\.track)) }
    }

    /// `GET /playlists/{id}`; like ``track(_:)``. Also `nil` for Spotify's own playlists, which it has hidden from apps
    /// since November 2024.
    package func playlist(_ id: String) async throws -> CatalogPlaylist? {
        try await item("playlists", id, as: CatalogPlaylistObject.self)?.playlist
    }

    /// `GET /playlists/{id}/items`: the tracks of a playlist, without its other entries.
    ///
    /// - Returns: `forbidden` for somebody else's playlist, whose entries apps in development mode may not read.
    /// - Throws: as ``search(_:types:offset:)``.
    package func tracks(ofPlaylist id: String, offset: Int) async throws -> Answer<SourcePage<CatalogTrack>> {
        let answer = try await read(
            "/playlists/\(id.percentEncoded)/items",
            query: [
                ("limit", String(Self.libraryPageSize)), ("offset", String(offset)),
                ("additional_types", "track,episode"),
            ], as: Page<CatalogEntryObject>.self, expecting: [.forbidden, .notFound])
        return switch answer {
        case .value(let page): .value(page.sourcePage(at: offset, items: page.values.compactMap(\.track)))
        case .nothing: .nothing
        case .notFound(let reason): .notFound(reason: reason)
        case .forbidden(let reason): .forbidden(reason: reason)
        }
    }

    /// Reads a document about an item; `nil` for an item that does not exist.
    private func item<Document: Decodable & Sendable>(
        _ kind: String, _ id: String, _ part: String = "", query: [(name: String, value: String)] = [],
        as type: Document.Type
    ) async throws -> Document? {
        let answer = try await read(
            "/\(kind)/\(id.percentEncoded)\(part)", query: query, as: type, expecting: .notFound)
        switch answer {
        case .value(let document): return document
        case .nothing, .notFound: return nil
        case .forbidden(let reason): throw SpotifyError.forbidden(reason: reason)
        }
    }
}

private struct SearchResponse: Decodable, Sendable {
    var tracks: Page<CatalogTrackObject>?
    var albums: Page<CatalogAlbumObject>?
    var artists: Page<CatalogArtistObject>?
    var playlists: Page<CatalogPlaylistObject>?

    private enum CodingKeys: String, CodingKey {
        case tracks, albums, artists, playlists
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tracks = container.lenient(.tracks)
        albums = container.lenient(.albums)
        artists = container.lenient(.artists)
        playlists = container.lenient(.playlists)
    }
}
