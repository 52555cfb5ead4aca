import CommandSupport
import Foundation
import Model
import Platform

/// `/v1/jobs`.
struct JobAPI: Sendable {
    /// The API's largest page.
    static let pageLimit = 200

    let client: GatewayClient

    struct Filter: Equatable, Sendable {
        var state: JobState?
        var kind: String?
        /// Whether to list the dead letters of all users, for administrators.
        var isDeadLetters = false
    }

    private struct Page: Decodable {
        var items: [JobEntry]
        var nextCursor: String?
    }

    /// The newest jobs, at most `limit`, and the JSON of their pages.
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

    func job(_ id: String) async throws(GatewayError) -> JobDocument {
        try document(try await client.get("/v1/jobs/\(id.percentEncoded)"))
    }

    /// - Parameters:
    ///   - body: the JSON of the new job (``NewJobBody``).
    ///   - key: the idempotency key, a new one for each job.
    func submit(_ body: Data, key: String) async throws(GatewayError) -> JobDocument {
        try document(try await client.post("/v1/jobs", body: body, idempotencyKey: key))
    }

    func cancel(_ id: String) async throws(GatewayError) -> JobDocument {
        try document(try await client.post("/v1/jobs/\(id.percentEncoded)/cancel"))
    }

    /// - Parameter ofAnyUser: whether it may be another user's job, for administrators.
    func requeue(_ id: String, ofAnyUser: Bool) async throws(GatewayError) -> JobDocument {
        let collection = ofAnyUser ? "/v1/admin/jobs" : "/v1/jobs"
        return try document(try await client.post("\(collection)/\(id.percentEncoded)/requeue"))
    }

    /// All unfinished jobs of the user.
    func unfinished(kind: String?) async throws(GatewayError) -> [JobDocument] {
        var found: [JobDocument] = []
        for state in JobState.allCases where !state.isFinished {
            let pages = try await pages(Filter(state: state, kind: kind), limit: .max).pages
            for page in pages { found += try items(of: page) }
        }
        return found
    }

    private func items(of page: Data) throws(GatewayError) -> [JobDocument] {
        try client.understood {
            let object = try JSONSerialization.jsonObject(with: page) as? [String: Any]
            return try (object?["items"] as? [Any] ?? []).map {
                try JobDocument(json: try JSONSerialization.data(withJSONObject: $0))
            }
        }
    }

    private func document(_ answer: Data) throws(GatewayError) -> JobDocument {
        try client.understood { try JobDocument(json: answer) }
    }
}
