import TestProcesses
import TestSupport

/// An import in the API.
struct ImportAnswer: Decodable, Equatable, Sendable {
    struct Counts: Decodable, Equatable, Sendable {
        var read: Int
        var new: Int
        var joined: Int
        var skipped: Int
    }

    struct Skip: Decodable, Equatable, Sendable {
        var line: Int
        var reason: String
    }

    var id: String
    var state: String
    var kind: String?
    var counts: Counts
    var skipped: [Skip]
    var message: String?
    var error: String?

    var hasEnded: Bool { !["queued", "running", "undoing"].contains(state) }
}

extension APIClient {
    func importAnswer(_ id: String) async throws -> ImportAnswer {
        try await get("/v1/library/imports/\(id)").decode()
    }

    /// The import once it has ended.
    func endedImport(_ id: String) async throws -> ImportAnswer {
        try await eventually("the import's end") {
            let one = try await importAnswer(id)
            return one.hasEnded ? one : nil
        }
    }
}
