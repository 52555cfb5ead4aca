import Foundation

/// A sync of the library in the API.
struct LibrarySyncStatus: Decodable, Equatable {
    enum State: String, Decodable {
        case queued, running, complete, partial, failed

        var isFinished: Bool { self != .queued && self != .running }
    }

    /// The progress of reading one service.
    struct Source: Decodable, Equatable {
        struct Failure: Decodable, Equatable {
            var code: String
            var message: String
        }

        /// The service, as the API names it.
        var source: String
        /// `waiting`, `running`, `complete`, `skipped` or `failed`.
        var state: String
        /// The part that is being read: `tracks`, `playlists` or `albums`.
        var phase: String?
        /// The number of items in all parts so far.
        var found: Int
        var new: Int
        var changed: Int
        /// The number of items that are expected so far; `nil` while none are.
        var total: Int?
        var error: Failure?
    }

    var id: String
    var state: State
    var sources: [Source]
    /// The number of tracks that were merged into others.
    var merged: Int
}

/// A sync together with the JSON that it was decoded from, for `--json`.
struct LibrarySyncDocument: Equatable {
    var status: LibrarySyncStatus
    /// The gateway's JSON.
    var json: Data

    init(json: Data) throws {
        self.json = json
        status = try JSONDecoder().decode(LibrarySyncStatus.self, from: json)
    }
}
