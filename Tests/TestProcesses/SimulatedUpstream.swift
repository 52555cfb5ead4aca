import Foundation

/// The control routes of one upstream of the simulator.
package struct SimulatedUpstream: Sendable {
    /// The counters of one endpoint.
    private struct Endpoint: Decodable {
        var arrivals: Int
    }

    /// The name in the control routes.
    let name: String
    let client: APIClient

    // MARK: What arrived

    /// The number of calls that arrived at endpoints whose name contains the text.
    package func calls(_ text: String = "") async throws -> Int {
        let endpoints: [String: Endpoint] = try await client.get("/_sim/\(name)/counters").decode()
        return endpoints.filter { text.isEmpty || $0.key.contains(text) }.values.reduce(0) { $0 + $1.arrivals }
    }

    // MARK: How it behaves

    /// Adds a fault rule for the answers from now on.
    ///
    /// - Parameters:
    ///   - fault: a kind of the simulator, such as `status502` or `loseAnswer`.
    ///   - endpoint: a part of the endpoint's name, such as `refresh_token`; `nil` matches every endpoint.
    ///   - query: a parameter of the query, such as `offset=100`; `nil` matches every query.
    ///   - times: the number of calls to which it applies; `nil` sets no limit.
    ///   - extra: further members, such as `retryAfter` (seconds) and `ms`.
    package func injectFault(
        _ fault: String, endpoint: String? = nil, query: String? = nil, times: Int? = nil, extra: [String: Int] = [:]
    ) async throws {
        var rule = extra.mapValues { JSON.integer($0) }
        rule["fault"] = .string(fault)
        var match: [String: JSON] = [:]
        match["endpoint"] = endpoint.map { .string($0) }
        match["query"] = query.map { .string($0) }
        rule["match"] = .object(match)
        if let times { rule["times"] = .integer(times) }
        try await order("faults", .object(rule))
    }

    /// Removes all fault rules.
    package func heal() async throws {
        try Simulator.check(await client.send(.DELETE, "/_sim/\(name)/faults"))
    }

    /// Changes settings, such as `refresh`.
    package func configure(_ settings: [String: JSON]) async throws {
        try await order("config", .object(settings))
    }

    /// Posts a body to a control route.
    @discardableResult
    package func order(_ route: String, _ body: JSON? = nil) async throws -> APIResponse {
        let response = try await client.post("/_sim/\(name)/\(route)", body?.encoded)
        try Simulator.check(response)
        return response
    }

    /// Gets a control route.
    package func ask<Value: Decodable>(_ route: String) async throws -> Value {
        try await client.get("/_sim/\(name)/\(route)").decode()
    }
}
