import Foundation
import Testing

@testable import UpstreamSimulator

extension SpotifyVisitor {
    /// The scopes that a library sync needs.
    static let libraryScopes =
        "user-read-private user-library-read playlist-read-private playlist-read-collaborative"

    /// A person with these scopes, for Web API calls.
    struct Reader: Sendable {
        let server: RunningSimulator
        let token: String

        func get(_ path: String) async throws -> RawResponse {
            try await server.send("GET", "/spotify/v1/" + path, headers: ["Authorization: Bearer " + token])
        }

        func send(_ method: String, _ path: String, body: String = "") async throws -> RawResponse {
            try await server.send(
                method, "/spotify/v1/" + path, headers: ["Authorization: Bearer " + token], body: body)
        }

        /// The document of a 200.
        func read(_ path: String) async throws -> [String: Any] {
            let answer = try await get(path)
            try #require(answer.status == 200, "\(path): \(answer.status) \(answer.text.prefix(300))")
            return try #require(answer.json)
        }

        /// The items of a page. A null is kept as NSNull.
        func items(_ path: String) async throws -> [Any] {
            try #require(try await read(path)["items"] as? [Any])
        }

        /// The status and message of an error.
        func refusal(_ path: String) async throws -> CallRefusal {
            let answer = try await get(path)
            return CallRefusal(answer.status, answer.json?.path("error", "message") as? String)
        }
    }

    func reader(scope: String = Self.libraryScopes) async throws -> Reader {
        Reader(server: server, token: try await connect(["scope": scope]).access)
    }

    /// The summary after a command of the library.
    func library(_ route: String, _ body: String) async throws -> LibrarySummary {
        try JSONDecoder().decode(LibrarySummary.self, from: try await order(route, body).body)
    }
}
