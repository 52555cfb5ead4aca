import Foundation
import TestProcesses
import Testing

@Suite("Searching Spotify", .timeLimit(.minutes(20)))
struct CatalogTests {
    private struct Page: Decodable {
        struct Item: Decodable {
            var sourceId: String
            var name: String
        }

        var items: [Item]
        var nextCursor: String?
    }

    @Test("A search and a top list go through gateway, worker and Spotify once, and fill the list of artists")
    func wholePath() async throws {
        try await SpotifyInstallation.run { spotify in
            try await spotify.upstream.configure(["requestsPerWindow": 0])
            try await spotify.upstream.setLibrary(tracks: 200)
            let ada = try await spotify.connectedUser()
            let top = try await ada.get("/v1/artists/top").decode(Page.self).items
            #expect(top.count > 10)
            struct List: Decodable {
                struct Artist: Decodable {
                    var name: String
                    var spotifyId: String?
                }

                var artists: [Artist]
                var isSaved: Bool
            }
            let filled = try await ada.post("/v1/artists/reset", #"{"onlyIfNeverSaved":true}"#).decode(List.self)
            #expect(filled.isSaved && filled.artists.map(\.spotifyId) == top.prefix(10).map(\.sourceId))
            #expect(try await spotify.upstream.calls("/me/top/artists") == 1)

            let name = try #require(top.first?.name)
            let query = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let paths = ["/v1/artists/search?q=\(query)", "/v1/artists/search?q=\(query)%20"]
            let answers = try await withThrowingTaskGroup(of: Page.self) { group in
                for index in 0..<8 {
                    group.addTask { try await ada.get(paths[index % 2]).decode(Page.self) }
                }
                return try await group.reduce(into: [Page]()) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.items.contains { $0.name == name } })
            #expect(try await spotify.upstream.calls("GET /spotify/v1/search") == 1)

            // A pause at Spotify affects everybody, and is reported with its end.
            try await spotify.upstream.injectFault("limit429", endpoint: "/search", extra: ["retryAfter": 30])
            let paused = try await ada.get("/v1/artists/search?q=something%20else")
            #expect(try paused.status == 503 && paused.problem.code == "rateLimited")
            #expect(paused.header("Retry-After") != nil)
            #expect(try await ada.get(paths[0]).status == 200, "what is known needs no call")
        }
    }
}
