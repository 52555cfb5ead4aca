import Foundation
import TestProcesses
import Testing

/// A Backline installation with a gateway and a worker of each kind, which call a simulator of all upstreams.
struct SetupInstallation: Sendable {
    let base: Installation
    let upstream: Simulator

    static func run(
        environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (SetupInstallation) async throws -> Void
    ) async throws {
        try await Installation.run(environment: environment, sourceLocation: sourceLocation) { base in
            let setup = SetupInstallation(base: base, upstream: try await base.startSimulator())
            try await setup.start()
            try await body(setup)
        }
    }

    func start() async throws {
        try await base.startGateway()
        for worker in Installation.Worker.allCases { _ = try await base.startWorker(worker) }
        try await base.connected(workers: Installation.Worker.allCases.count)
    }

    /// Stops all processes except the simulator.
    func stop() async throws {
        let processes = base.started.filter { $0.isRunning && $0.name != "upstream-sim" }
        for process in processes { process.terminate() }
        for process in processes { try await process.waitForEnd() }
    }

    /// The number of rows of candidates, secrets and connections.
    func rows() async throws -> [String: Int] {
        try await base.withDatabase { database in
            try await database.read { reader in
                var counts: [String: Int] = [:]
                for table in ["credential_candidates", "secrets", "connections"] {
                    let name: String = table
                    let row =
                        switch name {
                        case "secrets": try reader.row("SELECT COUNT(*) AS count FROM secrets")
                        case "connections": try reader.row("SELECT COUNT(*) AS count FROM connections")
                        default: try reader.row("SELECT COUNT(*) AS count FROM credential_candidates")
                        }
                    counts[name] = try row?["count"] ?? 0
                }
                return counts
            }
        }
    }
}

/// The response of `GET /v1/setup`.
struct SetupView: Decodable, Sendable {
    struct Step: Decodable, Sendable {
        var id: String
        var state: String
        var detail: String
        var maskedKey: String?
        var city: String?
        var account: String?
        var connectedAt: String?
        var recovery: String?
        var reason: String?
        var until: String?
        var scope: String?
        var missingScopes: [String]?
        var question: Question?
        var formerAccounts: [String]?
    }

    struct Question: Decodable, Sendable {
        var id: String
        var account: String
        var expiresAt: String
    }

    var steps: [Step]
    var completed: Int
    var total: Int
    var optional: [Step]

    func step(_ id: String) -> Step? { (steps + optional).first { $0.id == id } }
}

extension APIClient {
    func setup() async throws -> SetupView {
        try await get("/v1/setup").decode()
    }

    func save(_ path: String, _ fields: [String: String]) async throws -> APIResponse {
        let body = try JSONSerialization.data(withJSONObject: fields)
        return try await send(.PUT, "/v1/setup/\(path)", body: Array(body))
    }

    func saveAppleMusic(_ key: Simulator.AppleMusicKey, userToken: String? = nil, keyID: String? = nil) async throws
        -> APIResponse
    {
        try await save(
            "apple-music",
            [
                "teamId": key.teamId, "keyId": keyID ?? key.keyId, "privateKey": key.privateKey,
                "userToken": userToken ?? key.userToken,
            ])
    }
}
