import ArgumentParser
import Glibc
import UpstreamSimulator

/// Runs the stand-in for the services that Backline calls.
@main
struct UpstreamSim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upstream-sim", abstract: "A faithful stand-in for the services that Backline calls.")

    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 0

    @Option(help: "The loopback address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The seed of the catalogue, which also depends on the day.")
    var seed: UInt64 = 1

    @Option(help: "Milliseconds from a request to its answer.")
    var latencyMs = 80

    @Option(help: "Requests that a key may make in any sliding second.")
    var requestsPerSecond = 5

    @Option(help: "Requests that a key may make in 24 hours.")
    var dailyQuota = 5_000

    @Option(name: .customLong("api-key"), help: "An accepted API key; repeatable. (default: demo-key)")
    var apiKeys: [String] = []

    func validate() throws {
        guard Simulator.isLoopback(host) else {
            throw ValidationError(Simulator.NotLoopback(host: host).description)
        }
        guard latencyMs >= 0, requestsPerSecond >= 0, dailyQuota >= 0, (0...65_535).contains(port) else {
            throw ValidationError("--port is 0 to 65535, and the other numbers must not be negative.")
        }
    }

    func run() async throws {
        let limits = TrafficLimits(
            perSecond: requestsPerSecond, dailyQuota: dailyQuota,
            validKeys: apiKeys.isEmpty ? ["demo-key"] : Set(apiKeys))
        let ticketmaster = TicketmasterConfiguration(seed: seed, latency: .milliseconds(latencyMs), limits: limits)
        let simulator = Simulator(
            ticketmaster: TicketmasterSimulator(configuration: ticketmaster), latency: .milliseconds(latencyMs))
        try await simulator.run(host: host, port: port) { [host] port in
            print("upstream-sim listening on http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
            // A parent process waits for this line, and a pipe is buffered.
            fflush(nil)
        }
    }
}
