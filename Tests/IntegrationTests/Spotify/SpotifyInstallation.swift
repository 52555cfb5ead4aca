import Accounts
import AsyncHTTPClient
import Connections
import Model
import Storage
import TestProcesses
import TestSupport
import Testing

/// A Backline installation whose sync-workers call a simulated Spotify.
struct SpotifyInstallation: Sendable {
    let base: Installation
    let upstream: SimulatedUpstream

    /// A simulator that shares two processors with other installations may take longer to answer than Spotify.
    private static let settings = ["BACKLINE_UPSTREAMS_SPOTIFY_TIMEOUT_MS": "60000"]

    /// Runs everything while `body` runs.
    ///
    /// - Parameter hasApp: whether the installation has an app at Spotify, so that people need none of their own.
    static func run(
        workers: Int = 1, hasApp: Bool = true, environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation, _ body: (SpotifyInstallation) async throws -> Void
    ) async throws {
        try await Installation.run(
            environment: settings.merging(environment) { $1 }, sourceLocation: sourceLocation
        ) { base in
            let simulator = try await base.startSimulator()
            if !hasApp { base.forget("BACKLINE_SPOTIFY_CLIENT_ID") }
            try await base.startGateway()
            for _ in 0..<workers { _ = try await base.startWorker(.sync) }
            try await base.connected(workers: workers)
            try await body(SpotifyInstallation(base: base, upstream: simulator.spotify))
        }
    }

    // MARK: People

    /// A client with a browser's session.
    func browser(of user: String) async throws -> APIClient {
        let code = try await base.withDatabase { database in
            try await Accounts(database: database).signInLink(user: user).secret.reveal()
        }
        let response = try await base.visitor.post("/v1/session", #"{"link":"\#(code)"}"#)
        guard response.status == 200, let cookie = response.header("Set-Cookie")?.split(separator: ";").first else {
            throw UnexpectedAnswer(description: "not signed in: \(response.status) \(response.text)")
        }
        var client = base.visitor
        client.cookie = String(cookie)
        return client
    }

    /// A client of a user who has connected Spotify.
    func connectedUser(_ name: String = "ada") async throws -> APIClient {
        let client = try await base.addUser(name)
        let response = try await connect(client)
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "not connected: \(response.status) \(response.text)")
        }
        try await syncsEnded(of: client)
        return client
    }

    /// Waits until the syncs that connecting began have ended or wait for their time. They make calls of their own.
    func syncsEnded(of client: APIClient) async throws {
        try await eventually("the end of the syncs") {
            let syncs = try await client.allJobs().filter { $0.kind == "library.sync" }
            return !syncs.isEmpty && syncs.allSatisfy { $0.isFinished || $0.state == "scheduled" }
        }
    }

    // MARK: Connecting

    /// The address of Spotify's consent page.
    func begin(_ client: APIClient, _ body: String = "{}") async throws -> String {
        struct Answer: Decodable { var authorizeURL: String }
        let response = try await client.post("/v1/setup/spotify/authorize", body)
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "authorize: \(response.status) \(response.text)")
        }
        return try response.decode(Answer.self).authorizeURL
    }

    /// Connects Spotify as an app does; returns the last response.
    func connect(_ client: APIClient, _ body: String = "{}") async throws -> APIResponse {
        let parameters = try await upstream.decide("allow", at: begin(client, body)).parameters
        return try await finish(client, parameters)
    }

    func finish(_ client: APIClient, _ parameters: [String: String]) async throws -> APIResponse {
        let body = JSON.object(parameters.filter { $0.key != "error" }.mapValues { .string($0) })
        return try await client.post("/v1/setup/spotify/callback", body.encoded)
    }

    /// Follows Spotify's redirect as a browser does; returns the gateway's redirect.
    func follow(_ target: String, as client: APIClient) async throws -> String {
        var request = HTTPClientRequest(url: client.baseURL + target)
        if let cookie = client.cookie { request.headers.add(name: "Cookie", value: cookie) }
        let response = try await Self.browser.execute(request, timeout: .seconds(90))
        guard response.status == .seeOther, let location = response.headers.first(name: "Location") else {
            throw UnexpectedAnswer(description: "callback: \(response.status)")
        }
        return location
    }

    private static let browser = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

    // MARK: The connection

    /// Submits `spotify.profile`, and waits for its end.
    func profile(_ client: APIClient) async throws -> JobView {
        try await client.ended(client.submit(Self.profileJob).id)
    }

    static let profileJob = #"{"kind":"spotify.profile","payload":{}}"#

    /// The row of the connection of the only person who has one.
    func connection() async throws -> ConnectionRecord {
        try await base.withDatabase { database in
            let found = try await database.read { reader in
                try reader.row("SELECT user_id FROM connections WHERE provider = 'spotify'").flatMap { row in
                    try reader.connections.record(userID: try row["user_id"], provider: "spotify")
                }
            }
            return try #require(found)
        }
    }

    /// Expires the access token, in the database and at Spotify.
    func expireAccessToken() async throws {
        try await upstream.endTokens(access: "expire")
        try await change { $0.tokenExpiresAt = .now() }
    }

    func change(_ edit: @escaping @Sendable (inout ConnectionRecord) -> Void) async throws {
        let record = try await connection()
        try await base.withDatabase { database in
            try await database.write { transaction in
                var record = record
                edit(&record)
                try transaction.connections.put(record, now: .now())
            }
        }
    }

    /// The number of stored secrets for Spotify.
    func secretCount() async throws -> Int {
        try await base.withDatabase { database in
            try await database.read { reader in
                try reader.row("SELECT COUNT(*) AS count FROM secrets WHERE provider = 'spotify'")?["count"] ?? 0
            }
        }
    }

    func refreshes() async throws -> Int { try await upstream.calls(SimulatedUpstream.spotifyRefresh) }
}
