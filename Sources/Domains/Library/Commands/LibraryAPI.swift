import CommandSupport
import Foundation
import Model
import Platform

/// `/v1/library`.
struct LibraryAPI: Sendable {
    /// The API's largest page.
    static let pageLimit = 200

    let client: GatewayClient

    /// Which tracks to list, and in which order.
    struct TrackQuery: Equatable, Sendable {
        var source = LibraryFilter.all
        var sort = LibrarySort.recentlyAdded
        /// A part of the title, artist or album.
        var text: String?
    }

    private struct SyncRequest: Encodable {
        var source: MusicSource?
        var force: Bool?
    }

    private struct SyncAnswer: Decodable {
        var id: String
    }

    /// The JSON of the library's counts.
    func summary() async throws(GatewayError) -> Data {
        try await client.get("/v1/library/summary")
    }

    /// The first tracks of a list, at most `limit`, the number of tracks in the whole list, and the JSON of the pages.
    func tracks(
        _ query: TrackQuery, limit: Int
    ) async throws(GatewayError) -> (tracks: [LibraryTrackEntry], total: Int, pages: [Data]) {
        var (tracks, pages): ([LibraryTrackEntry], [Data]) = ([], [])
        var total = 0
        var cursor: String?
        repeat {
            let count = min(Self.pageLimit, limit - tracks.count)
            let answer = try await client.get(Self.path(query, limit: count, cursor: cursor))
            let page = try client.decode(LibraryTrackPage.self, from: answer)
            guard page.nextCursor == nil || page.nextCursor != cursor else {
                throw client.unreadable("a page names itself as the next one")
            }
            tracks += page.items
            pages.append(answer)
            (total, cursor) = (page.total, page.nextCursor)
        } while cursor != nil && tracks.count < limit
        return (tracks, total, pages)
    }

    static func path(_ query: TrackQuery, limit: Int, cursor: String?) -> String {
        var path = "/v1/library/tracks?source=\(query.source.rawValue)&sort=\(query.sort.rawValue)&limit=\(limit)"
        if let text = query.text { path += "&q=\(text.percentEncoded)" }
        if let cursor { path += "&cursor=\(cursor.percentEncoded)" }
        return path
    }

    /// Asks for a sync, which may join the running one.
    ///
    /// - Parameter source: the only service to sync; `nil` for all that are connected.
    /// - Returns: the sync's id.
    func sync(source: MusicSource?, force: Bool) async throws(GatewayError) -> String {
        let request = SyncRequest(source: source, force: force ? true : nil)
        let body = try client.understood { try JSONEncoder().encode(request) }
        return try client.decode(SyncAnswer.self, from: try await client.post("/v1/library/syncs", body: body)).id
    }

    /// The sync that was requested last.
    func latestSync() async throws(GatewayError) -> LibrarySyncDocument {
        let answer = try await client.get("/v1/library/syncs/latest")
        return try client.understood { try LibrarySyncDocument(json: answer) }
    }
}
