import TestProcesses
import TestSupport

/// `GET /v1/library/syncs/latest`.
struct LibrarySyncAnswer: Decodable, Sendable {
    struct Source: Decodable, Sendable {
        struct Failure: Decodable, Sendable {
            var code: String
            var message: String
        }

        var source: String
        var state: String
        var phase: String?
        var found: Int
        var new: Int
        var changed: Int
        var total: Int?
        var error: Failure?
    }

    var id: String
    var state: String
    var sources: [Source]
    var merged: Int
    var finishedAt: String?

    var isFinished: Bool { ["complete", "partial", "failed"].contains(state) }

    func source(_ name: String) -> Source? { sources.first { $0.source == name } }
}

extension APIClient {
    struct SyncAsked: Decodable, Sendable {
        var id: String
        var state: String
    }

    func askForSync(_ body: String = "{}") async throws -> SyncAsked {
        let response = try await post("/v1/library/syncs", body)
        guard response.status == 202 else {
            throw UnexpectedAnswer(description: "sync: \(response.status) \(response.text)")
        }
        return try response.decode()
    }

    func latestSync() async throws -> LibrarySyncAnswer {
        try await get("/v1/library/syncs/latest").decode()
    }

    /// Waits until no sync of the person is unfinished; returns the last.
    @discardableResult
    func syncsEnded(within limit: Duration = LibraryInstallation.patience) async throws -> LibrarySyncAnswer {
        try await eventually("the end of the syncs", within: limit) { () -> LibrarySyncAnswer? in
            // The gateway may be restarting, and before the first sync there is none.
            guard let latest = try? await latestSync(), latest.isFinished,
                try await allJobs().filter({ $0.kind == "library.sync" }).allSatisfy(\.isFinished)
            else { return nil }
            return latest
        }
    }
}

/// `GET /v1/library/summary`.
struct LibrarySummaryAnswer: Decodable, Sendable {
    struct Tracks: Decodable, Sendable {
        var all: Int
        var appleMusic: Int
        var spotify: Int
        var both: Int
    }

    var tracks: Tracks
    var playlists: Int
    var albums: Int
    var missing: Int
    var lastSyncedAt: String?
}

extension APIClient {
    func librarySummary() async throws -> LibrarySummaryAnswer {
        try await get("/v1/library/summary").decode()
    }

    /// Waits for the end of a sync that begins by itself.
    ///
    /// - Parameter id: the id of the previous sync.
    func syncEnded(after id: String) async throws -> LibrarySyncAnswer {
        try await eventually("the sync that begins by itself", within: LibraryInstallation.patience) {
            () -> LibrarySyncAnswer? in
            let latest = try await latestSync()
            return latest.id != id && latest.isFinished ? latest : nil
        }
    }
}
