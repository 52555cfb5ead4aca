import ArgumentParser
import Glibc
import UpstreamSimulator

/// Runs the simulator of the services that Backline calls. It is a program of its own, so that no installation contains
/// it.
@main
struct UpstreamSim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upstream-sim", abstract: "Simulates the services that Backline calls.")

    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 0

    @Option(help: "The loopback address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The seed of the catalog, which also depends on the day.")
    var seed: UInt64 = 1

    @Option(help: "Milliseconds from a request to its response.")
    var latencyMs = 80

    @Option(help: "Requests that a key may make in any sliding second.")
    var requestsPerSecond = 5

    @Option(help: "Requests that a key may make in 24 hours.")
    var dailyQuota = 5_000

    @Option(name: .customLong("api-key"), help: "An accepted API key; repeatable. (default: demo-key)")
    var apiKeys: [String] = []

    @Option(help: "Recordings that Spotify and Apple Music list, 1 to 2000000.")
    var recordings = 100_000

    @Option(help: "Tracks in the demo person's libraries at Spotify and at Apple Music; six tenths are in both.")
    var libraryTracks = 0

    @Option(help: "Playlists in each of the demo person's libraries.")
    var libraryPlaylists = 0

    @Option(help: "Saved albums in each of the demo person's libraries.")
    var libraryAlbums = 0

    @Option(help: "The seed of the recordings and of the demo person's libraries.")
    var librarySeed: UInt64 = 1

    func validate() throws {
        guard Simulator.isLoopback(host) else {
            throw ValidationError(Simulator.NotLoopback(host: host).description)
        }
        guard latencyMs >= 0, requestsPerSecond >= 0, dailyQuota >= 0, (0...65_535).contains(port) else {
            throw ValidationError("--port must be from 0 to 65535, and the other numbers must not be negative.")
        }
        guard (1...2_000_000).contains(recordings), (0...recordings * 7 / 10).contains(libraryTracks),
            (0...10_000).contains(libraryPlaylists), (0...recordings / 10).contains(libraryAlbums)
        else {
            throw ValidationError(
                "--recordings must be from 1 to 2000000, --library-tracks from 0 to seven tenths of that, "
                    + "--library-playlists from 0 to 10000, --library-albums from 0 to a tenth of the recordings.")
        }
    }

    func run() async throws {
        let limits = TrafficLimits(
            perSecond: requestsPerSecond, dailyQuota: dailyQuota,
            validKeys: apiKeys.isEmpty ? ["demo-key"] : Set(apiKeys))
        let ticketmaster = TicketmasterConfiguration(seed: seed, latency: .milliseconds(latencyMs), limits: limits)
        let simulator = Simulator(
            ticketmaster: TicketmasterSimulator(configuration: ticketmaster), latency: .milliseconds(latencyMs),
            recordings: recordings, recordingSeed: librarySeed)
        try simulator.fillDemoLibraries(
            seed: librarySeed, tracks: libraryTracks, playlists: libraryPlaylists, albums: libraryAlbums)
        try await simulator.run(host: host, port: port) { [host] port in
            print("upstream-sim listening on http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
            // A parent process waits for this line, and a pipe is buffered.
            fflush(nil)
        }
    }
}
