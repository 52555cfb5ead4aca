import Foundation
import Model

/// `/v1/jobs`.
struct JobAPI: Sendable {
    /// The most that the API gives at once.
    static let pageLimit = 200

    let client: GatewayClient

    struct Filter: Equatable, Sendable {
        var state: JobState?
        var kind: String?
        /// The dead letters of all users, which administrators may see.
        var isDeadLetters = false
    }

    private struct Page: Decodable {
        var items: [JobEntry]
        var nextCursor: String?
    }

    /// The youngest jobs, at most `limit`, as the pages that the gateway wrote.
    func pages(_ filter: Filter, limit: Int) async throws(GatewayError) -> (jobs: [JobEntry], pages: [Data]) {
        var (jobs, pages): ([JobEntry], [Data]) = ([], [])
        var cursor: String?
        repeat {
            let count = min(Self.pageLimit, limit - jobs.count)
            let answer = try await client.get(Self.path(filter, limit: count, cursor: cursor))
            let page = try client.decode(Page.self, from: answer)
            guard page.nextCursor == nil || page.nextCursor != cursor else {
                throw client.unreadable("a page names itself as the next one")
            }
            jobs += page.items
            pages.append(answer)
            cursor = page.nextCursor
        } while cursor != nil && jobs.count < limit
        return (jobs, pages)
    }

    static func path(_ filter: Filter, limit: Int, cursor: String?) -> String {
        var path = filter.isDeadLetters ? "/v1/admin/dead-letters?limit=\(limit)" : "/v1/jobs?limit=\(limit)"
        if let state = filter.state { path += "&state=\(state.rawValue)" }
        if let kind = filter.kind { path += "&kind=\(kind.percentEncoded)" }
        if let cursor { path += "&cursor=\(cursor.percentEncoded)" }
        return path
    }

    func job(_ id: String) async throws(GatewayError) -> JobNews {
        try news(try await client.get("/v1/jobs/\(id.percentEncoded)"))
    }

    func cancel(_ id: String) async throws(GatewayError) -> JobNews {
        try news(try await client.post("/v1/jobs/\(id.percentEncoded)/cancel"))
    }

    /// - Parameter isAnybodys: whether it may be another user's, which takes an administrator.
    func requeue(_ id: String, isAnybodys: Bool) async throws(GatewayError) -> JobNews {
        let collection = isAnybodys ? "/v1/admin/jobs" : "/v1/jobs"
        return try news(try await client.post("\(collection)/\(id.percentEncoded)/requeue"))
    }

    /// All jobs of the person that have not ended.
    func unfinished(kind: String?) async throws(GatewayError) -> [JobNews] {
        var found: [JobNews] = []
        for state in JobState.allCases where !state.isFinished {
            let pages = try await pages(Filter(state: state, kind: kind), limit: .max).pages
            for page in pages { found += try items(of: page) }
        }
        return found
    }

    private func items(of page: Data) throws(GatewayError) -> [JobNews] {
        try client.understood {
            let object = try JSONSerialization.jsonObject(with: page) as? [String: Any]
            return try (object?["items"] as? [Any] ?? []).map {
                try JobNews(json: try JSONSerialization.data(withJSONObject: $0))
            }
        }
    }

    private func news(_ answer: Data) throws(GatewayError) -> JobNews {
        try client.understood { try JobNews(json: answer) }
    }
}
