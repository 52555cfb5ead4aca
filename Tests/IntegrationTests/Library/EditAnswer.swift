import NIOHTTP1
import TestProcesses
import TestSupport
import Testing

/// An edit in the API.
struct EditAnswer: Decodable, Sendable {
    struct Failure: Decodable, Sendable {
        var code: String
        var message: String
    }

    var id: String
    var kind: String
    var state: String
    var playlistId: String?
    var done: Int
    var total: Int
    var question: String?
    var error: Failure?
}

struct PlaylistAnswer: Decodable, Sendable {
    struct Entry: Decodable, Sendable {
        struct Track: Decodable, Sendable {
            var id: String
        }

        var track: Track?
    }

    var name: String
    var version: String
    var canAdd: Bool
    var canRemove: Bool
    var canRename: Bool
    var refusal: String?
    var entries: [Entry]
    var nextCursor: String?
}

struct TrackAnswer: Decodable, Sendable {
    var id: String
    var title: String
    var artist: String
}

private struct TrackPage: Decodable {
    var items: [TrackAnswer]
    var nextCursor: String?
}

extension APIClient {
    /// Requests a change.
    func begin(_ method: HTTPMethod, _ path: String, _ body: [String: JSON]) async throws -> EditAnswer {
        let response = try await send(method, path, body: Array(JSON.object(body).encoded.utf8))
        guard response.status == 202 else {
            throw UnexpectedAnswer(description: "\(path): \(response.status) \(response.text)")
        }
        return try response.decode()
    }

    /// Waits until an edit has ended or asks its person a question.
    func editEnded(_ id: String) async throws -> EditAnswer {
        try await eventually("the end of the edit", within: LibraryInstallation.patience) { () -> EditAnswer? in
            let edit: EditAnswer = try await get("/v1/library/edits/\(id)").decode()
            return ["complete", "failed", "unclear"].contains(edit.state) ? edit : nil
        }
    }

    /// All saved songs, the newest first.
    func libraryTracks(source: String? = nil) async throws -> [TrackAnswer] {
        var tracks: [TrackAnswer] = []
        var cursor: String?
        repeat {
            let filter = source.map { "&source=\($0)" } ?? ""
            let page: TrackPage = try await get(
                "/v1/library/tracks?limit=200\(filter)" + (cursor.map { "&cursor=\($0)" } ?? "")
            ).decode()
            tracks += page.items
            cursor = page.nextCursor
        } while cursor != nil
        return tracks
    }

    func playlist(_ id: String, cursor: String? = nil) async throws -> PlaylistAnswer {
        try await get("/v1/library/playlists/\(id)?limit=200" + (cursor.map { "&cursor=\($0)" } ?? "")).decode()
    }

    /// The ids of the songs of a playlist, in order; empty ones for other entries.
    func entryIDs(of id: String) async throws -> [String] {
        var ids: [String] = []
        var cursor: String?
        repeat {
            let page = try await playlist(id, cursor: cursor)
            ids += page.entries.map { $0.track?.id ?? "" }
            cursor = page.nextCursor
        } while cursor != nil
        return ids
    }

    /// Reads the services again, regardless of when they were last read.
    func syncAgain() async throws {
        _ = try await askForSync(#"{"force":true}"#)
        try await syncsEnded()
    }
}
