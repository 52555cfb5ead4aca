import Foundation

/// One upstream of the simulator, as a test steers and counts it.
package struct SimulatedUpstream: Sendable {
    /// What one kind of call came to.
    private struct Endpoint: Decodable {
        var arrivals: Int
    }

    /// The name in the control routes.
    let name: String
    let client: APIClient

    // MARK: What arrived

    /// How many calls have arrived whose endpoint holds this text.
    package func calls(_ text: String = "") async throws -> Int {
        let endpoints: [String: Endpoint] = try await client.get("/_sim/\(name)/counters").decode()
        return endpoints.filter { text.isEmpty || $0.key.contains(text) }.values.reduce(0) { $0 + $1.arrivals }
    }

    // MARK: How it behaves

    /// Spoils answers from now on.
    ///
    /// - Parameters:
    ///   - fault: a kind of the simulator, such as `status502` or `loseAnswer`.
    ///   - endpoint: a part of the endpoint, such as `refresh_token`; everything when it is `nil`.
    ///   - times: how often; for ever when it is `nil`.
    ///   - extra: further members, such as `retryAfter` (seconds) and `ms`.
    package func spoil(
        _ fault: String, endpoint: String? = nil, times: Int? = nil, extra: [String: Int] = [:]
    ) async throws {
        var rule = extra.mapValues { JSON.integer($0) }
        rule["fault"] = .string(fault)
        if let endpoint { rule["match"] = .object(["endpoint": .string(endpoint)]) }
        if let times { rule["times"] = .integer(times) }
        try await order("faults", .object(rule))
    }

    /// Takes all faults back.
    package func heal() async throws {
        try Simulator.check(await client.send(.DELETE, "/_sim/\(name)/faults"))
    }

    /// Changes settings, such as `refresh`.
    package func configure(_ settings: [String: JSON]) async throws {
        try await order("config", .object(settings))
    }

    /// Sends something to its control routes, and answers what comes back.
    @discardableResult
    package func order(_ route: String, _ body: JSON? = nil) async throws -> APIResponse {
        let response = try await client.post("/_sim/\(name)/\(route)", body?.encoded)
        try Simulator.check(response)
        return response
    }

    /// Asks its control routes something.
    package func ask<Value: Decodable>(_ route: String) async throws -> Value {
        try await client.get("/_sim/\(name)/\(route)").decode()
    }
}
