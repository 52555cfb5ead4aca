import Model
import Platform
import Upstream

/// Searches for songs in a country's catalog; like ``AppleMusicClient/song(_:storefront:)``, without a user token.
extension AppleMusicClient {
    /// The most ISRCs in one call.
    package static let mostCodes = 25
    /// The number of songs in a page of search results.
    package static let songSearchPage = 10

    /// `GET /catalog/{storefront}/songs?filter[isrc]=`: every song with one of the ISRCs, in no particular order.
    ///
    /// - Parameter codes: in normalized form, at most ``mostCodes``.
    /// - Throws: ``AppleMusicError``, and the errors of the transport.
    package func songs(withCodes codes: [String], storefront: String) async throws -> [CatalogTrack] {
        let list = try await read(
            "/catalog/\(storefront.percentEncoded)/songs",
            query: [(name: "filter[isrc]", value: codes.joined(separator: ","))],
            as: ResourceList<CatalogResource>.self)
        return list.resources.compactMap { $0.value?.track }
    }

    /// `GET /catalog/{storefront}/search?types=songs`: a page of ``songSearchPage`` songs, the best match first.
    ///
    /// - Throws: as ``songs(withCodes:storefront:)``.
    package func searchSongs(_ text: String, offset: Int, storefront: String) async throws -> [CatalogTrack] {
        let answer = try await read(
            "/catalog/\(storefront.percentEncoded)/search",
            query: [
                (name: "term", value: text), (name: "types", value: "songs"),
                (name: "limit", value: String(Self.songSearchPage)), (name: "offset", value: String(offset)),
            ], as: SongSearch.self)
        return answer.results.songs?.resources.compactMap { $0.value?.track } ?? []
    }
}

/// Searches for artists in a country's catalog.
extension AppleMusicClient {
    /// The number of artists in a page of search results.
    package static let artistSearchPage = 10

    /// `GET /catalog/{storefront}/search?types=artists`: at most ``artistSearchPage`` artists, the best match first.
    ///
    /// - Throws: as ``songs(withCodes:storefront:)``.
    package func searchArtists(_ name: String, storefront: String) async throws -> [CatalogArtist] {
        let answer = try await read(
            "/catalog/\(storefront.percentEncoded)/search",
            query: [
                (name: "term", value: name), (name: "types", value: "artists"),
                (name: "limit", value: String(Self.artistSearchPage)),
            ], as: ArtistSearch.self)
        return answer.results.artists?.resources.compactMap { $0.value?.artist } ?? []
    }
}

private struct ArtistSearch: Decodable {
    struct Results: Decodable {
        /// Missing if nothing was found.
        var artists: ResourceList<CatalogResource>?
    }

    var results: Results
}

private struct SongSearch: Decodable {
    struct Results: Decodable {
        /// Missing if nothing was found.
        var songs: ResourceList<CatalogResource>?
    }

    var results: Results
}
