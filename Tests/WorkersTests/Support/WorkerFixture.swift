import Accounts
import Composition
import Bootstrap
import Contracts
import Foundation
import Connections
import Logging
import Model
import Pictures
import ServiceLifecycle
import Storage
import TestSupport
import Testing
import Upstream
import Vault

@testable import ConnectionsWorker
@testable import UpstreamSimulator
@testable import Workers

/// An installation with simulated upstreams, and a person.
struct WorkerFixture: Sendable {
    static let scopes = ["user-read-private"]
    private static let clientID = "demo-spotify-client"

    let simulator: Simulator
    let database: Database
    let userID: String
    let configuration: BacklineConfiguration

    static func run(_ body: @escaping @Sendable (WorkerFixture) async throws -> Void) async throws {
        let simulator = Simulator(
            ticketmaster: TicketmasterSimulator(configuration: TicketmasterConfiguration(latency: .zero)))
        try await withServer { listening in
            try simulator.application(onListening: listening)
        } _: { port in
            try await run(simulator, port: port, body)
        }
    }

    private static func run(
        _ simulator: Simulator, port: Int, _ body: (WorkerFixture) async throws -> Void
    ) async throws {
        try await withDatabase { database, folder in
            var configuration = BacklineConfiguration.defaults(with: .all)
            configuration.database.path = folder.file("test.sqlite")
            configuration.vault.keyFile = folder.file("vault.key")
            configuration.spotify.clientID = clientID
            configuration.upstreams[.spotify].baseURL = "http://127.0.0.1:\(port)/spotify/v1"
            // A test with more than a hundred calls would otherwise wait until the window of half a minute has passed.
            configuration.upstreams[.spotify].requests = 1_000
            simulator.spotify.state.withLock { $0.settings.requestsPerWindow = 0 }
            configuration.upstreams[.spotifyAccounts].baseURL = "http://127.0.0.1:\(port)/spotify-accounts"
            configuration.upstreams[.appleMusic].baseURL = "http://127.0.0.1:\(port)/apple-music/v1"
            configuration.upstreams[.gemini].baseURL = "http://127.0.0.1:\(port)/gemini/v1beta"
            configuration.upstreams[.itunes].baseURL = "http://127.0.0.1:\(port)/itunes"
            configuration[PictureSettings.self].folder = folder.file("pictures")
            _ = try VaultKeyFile(path: configuration.vault.keyFile).make()
            let userID = try await database.addPerson()
            try await body(
                WorkerFixture(simulator: simulator, database: database, userID: userID, configuration: configuration))
        }
    }

    /// A worker process, whose providers and database are closed when it ends.
    func withWorker<Value: Sendable>(
        _ service: String, _ body: (WorkerProcess) async throws -> Value
    ) async throws -> Value {
        let logger = Logger.silent
        let process = try await WorkerProcess.open(
            service: service, domains: .all, configuration: configuration,
            manager: ServiceManager(environment: [:], logger: logger), logger: logger)
        return try await running {
            try await body(process)
        } thenAlways: {
            await process.providers.shutdown(by: .now().advanced(by: .seconds(5)))
            process.database.close()
        }
    }

    // MARK: Spotify

    /// Connects the person's account, from the consent to the tokens, as a worker does.
    func connect(by process: WorkerProcess, scopes: [String] = scopes) async throws {
        let authorizations = SpotifyAuthorizations(sealer: process.vault, clientID: Self.clientID, accountsURL: "")
        let initiator = SpotifyAuthorizations.Initiator(userID: userID, sessionHash: nil)
        let attempt = try await database.write { transaction in
            try authorizations.begin(
                by: initiator, redirectURI: "http://127.0.0.1:8080/v1/setup/spotify/callback", scopes: scopes,
                returnTo: nil, in: transaction)
        }
        let answer = try await Browser.of(process.providers).allow(try #require(attempt).authorizeURL)
        let attemptID = try await database.write { transaction in
            let state = Secret(try #require(answer["state"]))
            let attempt = try SpotifyAuthorizations.find(state: state, by: initiator, in: transaction)
            let found = try #require(attempt)
            let received = Secret(try #require(answer["code"]))
            try #require(try authorizations.accept(code: received, of: found, in: transaction))
            return found.id
        }
        let outcome = try await SpotifyCalls(try process.providers.spotify(), process: process).exchange.run(
            attemptID: attemptID, userID: userID)
        try #require(outcome.verdict == .connected, "\(outcome.verdict)")
        _ = try await database.write { try outcome.write($0) }
    }

    /// Expires the access tokens at Spotify, but not in the database.
    func expireAccessTokens() {
        simulator.spotify.state.withLock { $0.grants.expireAccessTokens(of: nil, at: .now()) }
    }

    /// How many times a token was refreshed.
    var refreshCount: Int {
        simulator.spotify.recorder.log.endpoints["POST /spotify-accounts/api/token refresh_token"]?.arrivals ?? 0
    }

    var state: ConnectionState {
        get async throws {
            let userID = userID
            let record = try await database.read { try $0.connections.record(userID: userID, provider: "spotify") }
            return try ConnectionState(try #require(record))
        }
    }
}

/// A browser at Spotify's consent page.
private struct Browser: OpenedProvider {
    let client: UpstreamClient

    static func of(_ providers: ProviderSet) throws -> Browser {
        try providers.opened { runtime in
            Browser(client: try providers.calls(.spotifyAccounts, by: runtime)(nil, RetryPolicy()))
        }
    }

    /// Consents; returns the parameters of the redirect to the app.
    func allow(_ authorizeURL: String) async throws -> [String: String] {
        let asked = try #require(URLComponents(string: authorizeURL))
        var request = UpstreamRequest.form(path: "/authorize", [("decision", "allow")])
        request.query = (asked.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let answer = try await client.send(request)
        try #require(answer.status == 303, "\(String(decoding: answer.body, as: UTF8.self))")
        let back = try #require(answer.headers["location"].flatMap(URLComponents.init(string:)))
        return Dictionary((back.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
