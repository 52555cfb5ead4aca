import CommandSupport
import Foundation
import Model
import Platform

/// `/v1/concert-searches`.
struct ConcertSearchAPI: Sendable {
    /// The most shows in a page.
    private static let pageLimit = 200

    let client: GatewayClient

    private struct Request: Encodable {
        /// `nil` searches for the person's list.
        var artists: [String]?
        var homeCity: String?
    }

    /// Begins a search. Repeats the request once when the gateway cannot be reached; the idempotency key makes that
    /// safe.
    ///
    /// - Parameters:
    ///   - artists: if empty, the artists on the person's list are searched for.
    ///   - key: the idempotency key, a new one for each search.
    func begin(artists: [String], homeCity: String?, key: String) async throws(GatewayError) -> SearchStatus {
        let request = Request(artists: artists.isEmpty ? nil : artists, homeCity: homeCity)
        let body = try client.understood { try JSONEncoder().encode(request) }
        let answer: Data
        do {
            answer = try await client.post("/v1/concert-searches", body: body, idempotencyKey: key)
        } catch  where error.isPassing {
            try? await Task.sleep(for: .milliseconds(500))
            answer = try await client.post("/v1/concert-searches", body: body, idempotencyKey: key)
        }
        return try client.understood { try Self.status(from: answer) }
    }

    func status(of id: String) async throws(GatewayError) -> SearchStatus {
        let answer = try await client.get("/v1/concert-searches/\(id)?limit=1")
        return try client.understood { try Self.status(from: answer) }
    }

    func cancel(_ id: String) async throws(GatewayError) {
        _ = try await client.post("/v1/concert-searches/\(id)/cancel")
    }

    /// All pages of a search.
    func report(of id: String, includesCancelled: Bool) async throws(GatewayError) -> SearchReport {
        var pages: [Data] = []
        var cursor: String?
        repeat {
            let page = try await client.get(Self.path(of: id, cursor: cursor, includesCancelled: includesCancelled))
            pages.append(page)
            let next = try client.understood { try JSONDecoder().decode(SearchReport.Page.self, from: page).nextCursor }
            guard next == nil || next != cursor else {
                throw client.unreadable("a page has its own cursor as nextCursor")
            }
            cursor = next
        } while cursor != nil
        return try client.understood { try SearchReport(pages: pages) }
    }

    static func path(of id: String, cursor: String?, includesCancelled: Bool) -> String {
        var path = "/v1/concert-searches/\(id)?limit=\(pageLimit)"
        if includesCancelled { path += "&include=cancelled" }
        if let cursor { path += "&cursor=\(cursor.percentEncoded)" }
        return path
    }

    static func status(from data: Data) throws -> SearchStatus {
        try JSONDecoder().decode(SearchStatus.self, from: data)
    }
}
