import Model
import Upstream

/// Looking for songs in a country's catalog, as ``AppleMusicClient/song(_:storefront:)`` without a user token.
extension AppleMusicClient {
    /// The most ISRCs of a call.
    package static let mostCodes = 25
    /// The songs of a page of a search.
    package static let songSearchPage = 10

    /// `GET /catalog/{storefront}/songs?filter[isrc]=`: every song with one of some ISRCs, in no order.
    ///
    /// - Parameter codes: in their plain form, ``mostCodes`` at most.
    /// - Throws: ``AppleMusicError``, and the errors of the transport.
    package func songs(withCodes codes: [String], storefront: String) async throws -> [CatalogTrack] {
        let list = try await read(
            "/catalog/\(storefront.percentEncoded)/songs",
            query: [(name: "filter[isrc]", value: codes.joined(separator: ","))],
            as: ResourceList<CatalogResource>.self)
        return list.resources.compactMap { $0.value?.track }
    }

    /// `GET /catalog/{storefront}/search?types=songs`: a page of ``songSearchPage`` songs, the best first.
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

private struct SongSearch: Decodable {
    struct Results: Decodable {
        /// Left out where nothing was found.
        var songs: ResourceList<CatalogResource>?
    }

    var results: Results
}
