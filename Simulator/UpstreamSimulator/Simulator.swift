import Hummingbird
import Logging
import NIOCore

/// One HTTP server that simulates the services that Backline calls.
///
/// Each upstream adds its routes and owns its paths; `/_sim/` is for the tests that control them and is not counted.
package struct Simulator: Sendable {
    package let ticketmaster: TicketmasterSimulator
    let recordings: Recordings
    let spotify: SpotifySimulator
    let gemini: GeminiSimulator
    let aiEndpoint: AIEndpointSimulator
    let appleMusic: AppleMusicSimulator
    let google: GoogleSimulator
    let itunes: ITunesSimulator
    package let push: PushSimulator
    package let ntfy: NtfySimulator
    /// Pictures and previews.
    package let media = MediaFiles()

    /// - Parameters:
    ///   - latency: the time from the arrival of a request to the answer, for every upstream except Ticketmaster, which
    ///     has its own.
    ///   - recordings: the number of recordings that Spotify and Apple Music list, 1 to 2,000,000. They take no
    ///     memory.
    ///   - recordingSeed: determines everything about the recordings.
    package init(
        ticketmaster: TicketmasterSimulator, latency: Duration = .zero,
        recordings count: Int = RecordingCatalog.usualCount, recordingSeed: UInt64 = 1
    ) {
        self.ticketmaster = ticketmaster
        recordings = Recordings(catalog: RecordingCatalog(seed: recordingSeed, count: count))
        spotify = SpotifySimulator(latency: latency, recordings: recordings)
        gemini = GeminiSimulator(latency: latency, recordings: recordings)
        aiEndpoint = AIEndpointSimulator(latency: latency, recordings: recordings)
        appleMusic = AppleMusicSimulator(latency: latency, recordings: recordings)
        google = GoogleSimulator(latency: latency)
        itunes = ITunesSimulator(latency: latency, recordings: recordings)
        push = PushSimulator(latency: latency)
        ntfy = NtfySimulator(latency: latency)
    }

    /// Gives the usual people of Spotify and Apple Music a library each. The two libraries share six tenths of their
    /// tracks.
    ///
    /// - Parameter tracks: the number of tracks saved at each service.
    /// - Throws: an error if the catalog has too few recordings.
    package func fillDemoLibraries(seed: UInt64, tracks: Int, playlists: Int, albums: Int) throws {
        var plan = LibraryPlan()
        plan.seed = seed
        plan.tracks = tracks
        plan.playlists = playlists
        plan.albums = albums
        plan.entries = 40
        try spotify.libraries.fill(SpotifyPerson.all[0].id, plan)
        plan.first = tracks - tracks * 6 / 10
        try appleMusic.libraries.fill(AppleMusicSimulator.demoAccount, plan)
    }

    /// The server, ready to run; a service like any other.
    ///
    /// - Parameters:
    ///   - host: a loopback address or `localhost`; see ``isLoopback(_:)``.
    ///   - port: 0 picks a free one.
    ///   - onListening: called once connections are accepted, with the port.
    /// - Throws: ``NotLoopback``.
    package func application(
        host: String = "127.0.0.1", port: Int = 0, onListening: @escaping @Sendable (Int) async -> Void
    ) throws -> some ApplicationProtocol {
        guard Self.isLoopback(host) else { throw NotLoopback(host: host) }
        let router = Router(context: SimulatorContext.self)
        ticketmaster.addRoutes(to: router)
        UpstreamRoutes(upstream: spotify).add(to: router)
        UpstreamRoutes(upstream: gemini).add(to: router)
        UpstreamRoutes(upstream: aiEndpoint).add(to: router)
        UpstreamRoutes(upstream: appleMusic).add(to: router)
        UpstreamRoutes(upstream: google).add(to: router)
        UpstreamRoutes(upstream: itunes).add(to: router)
        UpstreamRoutes(upstream: push).add(to: router)
        UpstreamRoutes(upstream: ntfy).add(to: router)
        media.addRoutes(to: router)
        ControlRoutes(simulator: self).add(to: router)

        var logger = Logger(label: "upstream-sim")
        logger.logLevel = .warning
        let upstream = ticketmaster
        return Application(
            router: router,
            server: .http1(configuration: .init(additionalChannelHandlers: [ArrivalHandler(upstream: upstream)])),
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? port) },
            logger: logger)
    }

    /// Serves until the process receives SIGTERM or SIGINT.
    package func run(
        host: String, port: Int, onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        try await application(host: host, port: port, onListening: onListening).runService()
    }

    /// The host is not a loopback address. The simulator has no secrets, but its control routes need no credential.
    package struct NotLoopback: Error, CustomStringConvertible {
        package var host: String

        package init(host: String) {
            self.host = host
        }

        package var description: String {
            "upstream-sim listens on loopback addresses only, not on '\(host)'; use 127.0.0.1, ::1 or localhost."
        }
    }

    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && !parts.contains(nil) && parts[0] == 127
    }
}
