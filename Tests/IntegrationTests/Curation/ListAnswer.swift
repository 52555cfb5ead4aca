import Curation
import Model
import TestProcesses
import TestSupport
import Testing

/// A list as `/v1/ai` shows it.
struct ListAnswer: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        struct Track: Decodable, Sendable {
            var id: String
            var title: String
            var artist: String
            var durationMs: Int?
        }
        var track: Track
        var reason: String
        var source: String
        var filled: Bool
        var pinned: Bool
    }
    struct DroppedEntry: Decodable, Sendable {
        var said: String
        var why: String
    }
    struct Usage: Decodable, Sendable {
        var totalTokens: Int
        var inputTokens: Int?
        var outputTokens: Int?
    }

    var id: String
    var state: String
    var title: String
    var tracks: [Item]?
    var dropped: [DroppedEntry]
    var model: String?
    var usage: Usage
    var cost: CostAnswer?
    var fallback: String?
    var shortfall: String?
    var error: EditAnswer.Failure?

    var ids: [String] { tracks?.map(\.track.id) ?? [] }
    var hasEnded: Bool { ["complete", "failed"].contains(state) }
}

/// What was sent to a model for a list.
struct SentAnswer: Decodable, Sendable {
    var model: String?
    var sent: JSON?
}

struct EstimateAnswer: Decodable, Sendable {
    var provider: String?
    var tokens: Int
    var cost: CostAnswer?
    var usedThisMonth: Int
    var choice: String?
    var choices: [String]
    var endpoints: [Endpoint]

    struct Endpoint: Decodable, Sendable {
        var name: String
        var model: String
    }
}

struct CostAnswer: Decodable, Sendable, Equatable {
    var amount: String
    var currency: String

    init(_ amount: String, _ currency: String) { (self.amount, self.currency) = (amount, currency) }

    /// What some tokens cost.
    init(_ usage: ListAnswer.Usage, prices: String, _ currency: String) throws {
        let price = try #require(TokenPrice("model=\(prices)"))
        let tokens = TokenUsage(input: try #require(usage.inputTokens), output: try #require(usage.outputTokens))
        let cost = try #require(TokenPrices([price], currency: currency).cost(of: tokens, asked: "model"))
        self.init(cost.amountText, currency)
    }
}

extension APIClient {
    func enterGeminiKey() async throws {
        try await eventually("the key to be accepted", within: LibraryInstallation.patience) {
            try await save("gemini", ["apiKey": Simulator.geminiKey]).status == 200
        }
    }

    /// - Parameter kind: the path below `/v1/ai`.
    func beginList(_ body: [String: JSON], at kind: String = "playlists") async throws -> ListAnswer {
        let response = try await post("/v1/ai/\(kind)", JSON.object(body).encoded)
        guard response.status == 202 else { throw UnexpectedAnswer(description: "\(response.status) \(response.text)") }
        let begun: ListAnswer = try response.decode()
        let kind = kind.split(separator: "/")[0]
        #expect(response.headers.first(name: "Location") == "/v1/ai/\(kind)/\(begun.id)")
        return begun
    }

    /// Requests a list, and returns it once it has ended.
    func madeList(_ body: [String: JSON], at kind: String = "playlists") async throws -> ListAnswer {
        try await listEnded(try await beginList(body, at: kind).id, String(kind.split(separator: "/")[0]))
    }

    func listEnded(_ id: String, _ kind: String = "playlists") async throws -> ListAnswer {
        try await eventually("the end of the list", within: LibraryInstallation.patience) { () -> ListAnswer? in
            let list: ListAnswer = try await get("/v1/ai/\(kind)/\(id)").decode()
            return list.hasEnded ? list : nil
        }
    }

    func chooseModel(_ choice: String) async throws -> APIResponse {
        try await send(.PUT, "/v1/ai/model", body: Array(JSON.object(["choice": .string(choice)]).encoded.utf8))
    }
}

extension APIClient {
    /// Submits listens of the last hour, as a program does, and waits until the library's songs are recognized in them.
    ///
    /// - Parameter songs: titles and artists, in the order in which they were heard.
    func tellListens(_ songs: [(title: String, artist: String)]) async throws {
        struct Token: Decodable { var token: String }
        let token: Token = try await post("/v1/me/tokens", #"{"name":"player","scope":"listening"}"#).decode()
        let now = Int(Timestamp.now().microseconds / 1_000_000)
        let listens = songs.enumerated().map { index, song in
            JSON.object([
                "listened_at": .integer(now - (songs.count - index) * 300),
                "track_metadata": .object(["track_name": .string(song.title), "artist_name": .string(song.artist)]),
            ])
        }
        let body = JSON.object(["listen_type": "import", "payload": .array(listens)])
        // Nothing about the person is sent except the program's token.
        let answer = try await APIClient(baseURL: baseURL).post(
            "/1/submit-listens", body.encoded, headers: ["Authorization": "Token \(token.token)"])
        #expect(answer.status == 200, "\(answer.text)")
        struct Page: Decodable, Sendable {
            struct Item: Decodable, Sendable { var trackId: String? }
            var items: [Item]
        }
        try await eventually("the library's songs to be recognized", within: LibraryInstallation.patience) {
            let page: Page = try await get("/v1/listening/listens?limit=\(songs.count)").decode()
            return page.items.count == songs.count && page.items.allSatisfy { $0.trackId != nil }
        }
    }
}

extension LibraryInstallation {
    /// A person with a library at Spotify, and workers of both kinds.
    static func runWithCuration(
        environment: [String: String] = [:], tracks: Int = 200, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (LibraryInstallation, APIClient) async throws -> Void
    ) async throws {
        let limits = [
            "BACKLINE_UPSTREAMS_GEMINI_REQUESTS": "1000", "BACKLINE_UPSTREAMS_GEMINI_DAILY_REQUESTS": "0",
            "BACKLINE_UPSTREAMS_GEMINI_TOKENS": "0",
        ]
        try await run(environment: limits.merging(environment) { $1 }, sourceLocation: sourceLocation) { library in
            _ = try await library.base.startWorker(.ai)
            try await library.base.connected(workers: 2)
            try await library.fill(library.upstreams.spotify, tracks: tracks, playlists: 3, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            try await body(library, ada)
        }
    }
}
