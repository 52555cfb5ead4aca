import Foundation
import TestProcesses
import TestSupport

/// Requests for artists and concert searches.
extension APIClient {
    // MARK: The ranked list

    func artistList() async throws -> ArtistListView {
        try await get("/v1/artists").decode()
    }

    /// Replaces the list.
    @discardableResult
    func rank(_ names: [String]) async throws -> ArtistListView {
        let response = try await put("/v1/artists", Self.body(artists: names))
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "PUT artists: \(response.status) \(response.text)")
        }
        return try response.decode()
    }

    func put(_ path: String, _ body: String) async throws -> APIResponse {
        try await send(.PUT, path, body: Array(body.utf8))
    }

    // MARK: Searches

    /// The body of a search; `nil` members are left out.
    static func body(artists: [String]?, homeCity: String? = nil) -> String {
        var members: [String: JSON] = [:]
        members["artists"] = artists.map { .array($0.map { .string($0) }) }
        members["homeCity"] = homeCity.map { .string($0) }
        return JSON.object(members).encoded
    }

    /// Begins a search without waiting for its end.
    func beginSearch(_ artists: [String]? = nil, homeCity: String? = nil) async throws -> String {
        let response = try await post("/v1/concert-searches", Self.body(artists: artists, homeCity: homeCity))
        guard response.status == 202, let id = try response.decode(SearchView.self).id else {
            throw UnexpectedAnswer(description: "search: \(response.status) \(response.text)")
        }
        return id
    }

    /// Searches, and waits for the end.
    func search(_ artists: [String]? = nil, homeCity: String? = nil) async throws -> SearchView {
        try await endOfSearch(beginSearch(artists, homeCity: homeCity))
    }

    /// A search with the first page of its shows.
    func search(id: String, query: String = "?limit=200") async throws -> SearchView {
        let response = try await get("/v1/concert-searches/\(id)\(query)")
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "search \(id): \(response.status) \(response.text)")
        }
        return try response.decode()
    }

    /// Waits until a search no longer runs, even across restarts of the gateway.
    func endOfSearch(_ id: String, within limit: Duration = .seconds(300)) async throws -> SearchView {
        try await eventually("the end of search \(id)", within: limit) {
            // The gateway may be restarting.
            guard let response = try? await get("/v1/concert-searches/\(id)?limit=200") else { return nil }
            guard response.status == 200 else {
                throw UnexpectedAnswer(description: "search \(id): \(response.status) \(response.text)")
            }
            let search: SearchView = try response.decode()
            return search.isRunning ? nil : search
        }
    }

    /// The concerts near a city, however long their lookup takes.
    func concertsNearby(_ path: String) async throws -> APIResponse {
        try await eventually("the answer to \(path)") {
            let response = try await get(path, headers: ["Prefer": "wait=30"])
            return response.status == 202 ? nil : response
        }
    }

    /// Repeats a search, and waits for the end.
    func retrySearch(_ id: String) async throws -> SearchView {
        let response = try await post("/v1/concert-searches/\(id)/retry")
        guard response.status == 202 else {
            throw UnexpectedAnswer(description: "retry: \(response.status) \(response.text)")
        }
        return try await endOfSearch(id)
    }

    /// All shows of a search, read page by page.
    ///
    /// - Returns: the pages in their order.
    func pages(ofSearch id: String, limit: Int, query: String = "") async throws -> [[ConcertView]] {
        var pages: [[ConcertView]] = []
        var cursor: String?
        repeat {
            let page = try await search(
                id: id, query: "?limit=\(limit)\(query)" + (cursor.map { "&cursor=\(Self.escaped($0))" } ?? ""))
            pages.append(page.items ?? [])
            cursor = page.nextCursor
        } while cursor != nil
        return pages
    }

    func shows(ofSearch id: String, query: String = "") async throws -> [ConcertView] {
        try await pages(ofSearch: id, limit: 200, query: query).flatMap { $0 }
    }

    /// A value for a query.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
