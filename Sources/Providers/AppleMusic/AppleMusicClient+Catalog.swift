import Model
import Platform
import Upstream

/// Single items of a country's catalog.
///
/// These calls have no user token, so a 403 says nothing about anyone's connection. The catalog has different ids in
/// each country. An item that it does not have is `nil`: Apple answers 404, or with a list that lacks it.
extension AppleMusicClient {
    /// The page size of further pages of an album's, artist's or playlist's contents.
    package static let catalogPageSize = 100

    /// `GET /catalog/{storefront}/songs/{id}`, with the ids of its artists and album.
    ///
    /// - Parameter storefront: such as `fr` (``storefront()``).
    /// - Throws: ``AppleMusicError``, also for an answer that is not a list; and the errors of the transport.
    package func song(_ id: String, storefront: String) async throws -> CatalogTrack? {
        try await item("songs", id, storefront: storefront, including: "albums,artists")?.track
    }

    /// `GET /catalog/{storefront}/albums/{id}`, with the first page of its songs; like ``song(_:storefront:)``.
    package func album(
        _ id: String, storefront: String
    ) async throws -> (album: CatalogAlbum, tracks: SourcePage<CatalogTrack>?)? {
        guard let resource = try await item("albums", id, storefront: storefront, including: "artists,tracks"),
            let album = resource.album
        else { return nil }
        let path = Self.path("albums", id, storefront: storefront, part: "tracks")
        return (album, resource.tracks?.page(of: path, from: 0, \.track))
    }

    /// `GET /catalog/{storefront}/artists/{id}`, with the first page of the albums; like ``song(_:storefront:)``.
    package func artist(
        _ id: String, storefront: String
    ) async throws -> (artist: CatalogArtist, albums: SourcePage<CatalogAlbum>?)? {
        guard let resource = try await item("artists", id, storefront: storefront, including: "albums"),
            let artist = resource.artist
        else { return nil }
        let path = Self.path("artists", id, storefront: storefront, part: "albums")
        return (artist, resource.albums?.page(of: path, from: 0, \.album))
    }

    /// `GET /catalog/{storefront}/playlists/{id}`, with the first page of its songs, without its music videos; like
    /// ``song(_:storefront:)``.
    package func playlist(
        _ id: String, storefront: String
    ) async throws -> (playlist: CatalogPlaylist, tracks: SourcePage<CatalogTrack>?)? {
        guard let resource = try await item("playlists", id, storefront: storefront, including: "tracks"),
            var playlist = resource.playlist
        else { return nil }
        let path = Self.path("playlists", id, storefront: storefront, part: "tracks")
        let tracks = resource.tracks?.page(of: path, from: 0, \.track)
        // Apple does not report the number. It is known only if the first page is the whole list.
        playlist.trackCount = tracks?.nextOffset == nil ? tracks?.items.count : tracks?.total
        return (playlist, tracks)
    }

    /// `GET /catalog/{storefront}/albums/{id}/tracks`. An offset at the end of the list returns an empty page.
    ///
    /// - Throws: as ``song(_:storefront:)``.
    package func tracks(ofAlbum id: String, offset: Int, storefront: String) async throws -> SourcePage<CatalogTrack>? {
        try await page(Self.path("albums", id, storefront: storefront, part: "tracks"), from: offset, \.track)
    }

    /// `GET /catalog/{storefront}/playlists/{id}/tracks`, like ``tracks(ofAlbum:offset:storefront:)``.
    package func tracks(
        ofPlaylist id: String, offset: Int, storefront: String
    ) async throws -> SourcePage<CatalogTrack>? {
        try await page(Self.path("playlists", id, storefront: storefront, part: "tracks"), from: offset, \.track)
    }

    /// `GET /catalog/{storefront}/artists/{id}/albums`, like ``tracks(ofAlbum:offset:storefront:)``.
    package func albums(
        ofArtist id: String, offset: Int, storefront: String
    ) async throws -> SourcePage<CatalogAlbum>? {
        try await page(Self.path("artists", id, storefront: storefront, part: "albums"), from: offset, \.album)
    }

    // MARK: Calls

    private static func path(_ kind: String, _ id: String, storefront: String, part: String? = nil) -> String {
        let item = "/catalog/\(storefront.percentEncoded)/\(kind)/\(id.percentEncoded)"
        return part.map { "\(item)/\($0)" } ?? item
    }

    /// - Parameter relations: the relationships whose whole resources come with the item, instead of only their ids.
    private func item(
        _ kind: String, _ id: String, storefront: String, including relations: String
    ) async throws -> CatalogResource? {
        let list = try await catalogList(
            Self.path(kind, id, storefront: storefront), query: [(name: "include", value: relations)])
        return list?.resources.lazy.compactMap(\.value).first
    }

    private func page<Item: Sendable>(
        _ path: String, from offset: Int, _ read: (CatalogResource) -> Item?
    ) async throws -> SourcePage<Item>? {
        // Sent for every page: the address of the next page contains only the offset.
        let query = [
            (name: "limit", value: String(Self.catalogPageSize)), (name: "offset", value: String(offset)),
        ]
        do {
            return try await catalogList(path, query: query)?.page(of: path, from: offset, read)
        } catch let error as AppleMusicError where error.isEmptyList {
            return SourcePage(items: [], entryCount: 0, total: nil, nextOffset: nil)
        }
    }

    /// Reads a list; `nil` for a 404 that does not mean an empty list.
    private func catalogList(
        _ path: String, query: [(name: String, value: String)]
    ) async throws -> ResourceList<CatalogResource>? {
        do {
            return try await read(path, query: query, as: ResourceList<CatalogResource>.self)
        } catch let error as AppleMusicError where error.isMissing {
            return nil
        }
    }
}

extension AppleMusicError {
    /// A 404 for an item that does not exist.
    fileprivate var isMissing: Bool {
        if case .requestRefused(status: 404, code: _) = self { return !isEmptyList }
        return false
    }
}

extension ResourceList where Element == CatalogResource {
    /// Resources of other kinds, such as music videos, are left out and counted in its `entryCount`.
    fileprivate func page<Item: Sendable>(
        of path: String, from offset: Int, _ read: (CatalogResource) -> Item?
    ) -> SourcePage<Item> {
        SourcePage(
            items: resources.compactMap { $0.value.flatMap(read) }, entryCount: resources.count, total: total,
            nextOffset: nextOffset(of: path, from: offset))
    }
}
