import AsyncHTTPClient
import Foundation
import Storage
import TestProcesses
import Testing

/// A Backline installation whose sync-workers call a simulated Google.
struct GoogleInstallation: Sendable {
    let base: Installation
    let simulator: Simulator

    var upstream: SimulatedUpstream { simulator.google }

    /// Runs everything while `body` runs.
    static func run(
        workers: Int = 1, environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (GoogleInstallation) async throws -> Void
    ) async throws {
        try await Installation.run(environment: environment, sourceLocation: sourceLocation) { base in
            let simulator = try await base.startSimulator()
            try await base.startGateway()
            // Makes the vault's files, which a first worker would have made.
            if workers == 0 { _ = try await base.withDatabase { try await base.vaultFiles.prepare($0) } }
            for _ in 0..<workers { _ = try await base.startWorker(.sync) }
            try await base.connected(workers: workers)
            try await body(GoogleInstallation(base: base, simulator: simulator))
        }
    }

    // MARK: Apps

    struct SignInAnswer: Decodable {
        struct User: Decodable {
            var id: String
            var name: String
            var isAdmin: Bool
        }

        var token: String
        var user: User
    }

    /// Sends an ID token as an app does.
    func send(_ idToken: String, nonce: String? = nil) async throws -> APIResponse {
        var body: [String: JSON] = ["idToken": .string(idToken)]
        body["nonce"] = nonce.map { .string($0) }
        return try await base.visitor.post("/v1/auth/google", JSON.object(body).encoded)
    }

    /// A user who signed in with an app.
    func appUser(person: String? = nil, claims: [String: JSON] = [:]) async throws -> (APIClient, SignInAnswer) {
        let response = try await send(simulator.mintIDToken(person: person, claims: claims))
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "not signed in: \(response.status) \(response.text)")
        }
        let signedIn = try response.decode(SignInAnswer.self)
        var client = base.visitor
        client.token = signedIn.token
        return (client, signedIn)
    }

    // MARK: Browsers

    /// The response to a browser that does not follow redirects by itself.
    struct Step: Sendable {
        var status: Int
        var location: String?
        /// The names and values of the cookies that the response sets.
        var cookies: [String: String]
        /// The whole `Set-Cookie` fields, for their attributes.
        var setCookies: [String]
    }

    /// A browser with its cookies.
    final class Browser {
        let baseURL: String
        var cookies: [String: String] = [:]

        init(baseURL: String) {
            self.baseURL = baseURL
        }

        func open(_ target: String, headers: [String: String] = [:]) async throws -> Step {
            var request = HTTPClientRequest(url: baseURL + target)
            // Browsers send this for a link.
            request.headers.add(name: "Accept", value: headers["Accept"] ?? "text/html,*/*;q=0.8")
            if !cookies.isEmpty {
                let pairs = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
                request.headers.add(name: "Cookie", value: pairs)
            }
            let response = try await Self.http.execute(request, timeout: .seconds(90))
            let lines = response.headers["Set-Cookie"]
            var kept: [String: String] = [:]
            for line in lines {
                let pair = line.split(separator: ";")[0].split(separator: "=", maxSplits: 1).map(String.init)
                let value = pair.count > 1 ? pair[1] : ""
                kept[pair[0]] = value
                cookies[pair[0]] = value.isEmpty ? nil : value
            }
            return Step(
                status: Int(response.status.code), location: response.headers.first(name: "Location"), cookies: kept,
                setCookies: lines)
        }

        /// A client with this browser's session.
        var client: APIClient {
            var client = APIClient(baseURL: baseURL)
            client.cookie = cookies["backline_session"].map { "backline_session=\($0)" }
            return client
        }

        private static let http = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: {
                var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
                configuration.connectionPool.retryConnectionEstablishment = false
                return configuration
            }())
    }

    func browser() -> Browser { Browser(baseURL: base.visitor.baseURL) }

    static let startPath = "/v1/auth/google/start"

    /// The address of Google's consent page.
    func begin(_ browser: Browser, returnTo: String? = nil) async throws -> String {
        let step = try await browser.open(Self.startPath + (returnTo.map { "?returnTo=\($0)" } ?? ""))
        guard step.status == 303, let location = step.location, location.contains("/o/oauth2/") else {
            throw UnexpectedAnswer(description: "start: \(step.status) \(step.location ?? "")")
        }
        return location
    }

    /// Chooses an account, or `cancel`, on Google's page.
    func decide(_ decision: String? = nil, at url: String) async throws -> SimulatedUpstream.Return {
        let chosen = if let decision { decision } else { try await simulator.googlePeople()[0].sub }
        return try await upstream.decide(chosen, at: url)
    }

    /// Signs a browser in; returns the last response.
    @discardableResult
    func signIn(_ browser: Browser, as decision: String? = nil, returnTo: String? = nil) async throws -> Step {
        let back = try await decide(decision, at: begin(browser, returnTo: returnTo))
        return try await browser.open(back.target)
    }

    // MARK: The database

    func count(_ sql: SQL) async throws -> Int {
        try await base.withDatabase { database in
            try await database.read { try $0.row(sql)?["count"] ?? 0 }
        }
    }

    func userCount() async throws -> Int { try await count("SELECT COUNT(*) AS count FROM users") }

    /// The number of attempts and candidates.
    func openCount() async throws -> Int {
        try await count(
            """
            SELECT (SELECT COUNT(*) FROM authorizations) + (SELECT COUNT(*) FROM credential_candidates) AS count
            """)
    }

    /// Whether there are no users and no rows of attempts.
    func isUntouched() async throws -> Bool {
        let (users, attempts) = (try await userCount(), try await openCount())
        return users + attempts == 0
    }
}
