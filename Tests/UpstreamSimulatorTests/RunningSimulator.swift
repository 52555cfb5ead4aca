import ServiceLifecycle
import TestSupport

@testable import UpstreamSimulator

/// A simulator that listens on a port of its own while `body` runs.
func withSimulator(
    latency: Duration = .zero, limits: TrafficLimits = TrafficLimits(perSecond: 1_000),
    _ body: @escaping @Sendable (RunningSimulator) async throws -> Void
) async throws {
    let simulator = Simulator(
        ticketmaster: TicketmasterSimulator(
            catalog: SimulatedAnswers.catalog,
            configuration: TicketmasterConfiguration(latency: latency, limits: limits)))
    try await withServer { listening in
        try simulator.application(onListening: listening)
    } _: { port in
        try await body(RunningSimulator(simulator: simulator, port: port))
    }
}

struct RunningSimulator: Sendable {
    let simulator: Simulator
    let port: Int

    var counters: TrafficCounters { simulator.ticketmaster.counters }

    /// One request on a connection of its own.
    @discardableResult
    func send(
        _ method: String = "GET", _ path: String, headers: [String] = [], body: String = ""
    ) async throws -> RawResponse {
        let connection = try await RawClient(port: port)
        // A cancelled request returns the bytes that have arrived so far.
        let response = try await connection.send(method, path, headers: headers, body: body)
        try await connection.close()
        return response
    }

    /// One request to the events list.
    @discardableResult
    func events(_ query: String = "size=1", headers: [String] = []) async throws -> RawResponse {
        try await send("GET", "/discovery/v2/events.json?apikey=demo-key&" + query, headers: headers)
    }
}
