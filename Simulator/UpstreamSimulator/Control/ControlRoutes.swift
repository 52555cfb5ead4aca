import Hummingbird

/// The control routes below `/_sim/`, by which tests configure and observe the simulator.
///
/// Every upstream has the routes of ``UpstreamControl``. ``RecordingControl`` has the routes for the recordings that
/// Spotify and Apple Music share, ``NewAlbumControl`` those for albums that come out, ``LibraryControl`` those for the
/// libraries of these services, and ``ShowControl`` those for Ticketmaster's shows. Spotify also has
/// `tokens` and `window`, Apple Music `key`, Google `keys`, `mint` and `people`, the push service `subscriptions` and
/// `counts`, and the ntfy server `messages`.
struct ControlRoutes: Sendable {
    let simulator: Simulator

    func add(to router: Router<SimulatorContext>) {
        let control = router.group("_sim")
        addTicketmaster(to: control)
        ShowControl(ticketmaster: simulator.ticketmaster).add(to: control)
        RecordingControl(
            recordings: simulator.recordings,
            libraries: [simulator.spotify.libraries, simulator.appleMusic.libraries]
        ).add(to: control.group("recordings"))
        NewAlbumControl(recordings: simulator.recordings).add(to: control.group("recordings"))
        add(simulator.spotify, to: control)
        simulator.spotify.addControls(to: control.group("spotify"))
        add(simulator.gemini, to: control)
        simulator.gemini.addControls(to: control.group("gemini"))
        add(simulator.aiEndpoint, to: control)
        add(simulator.appleMusic, to: control)
        simulator.appleMusic.addControls(to: control.group("apple-music"))
        add(simulator.google, to: control)
        simulator.google.addControls(to: control.group("google"))
        add(simulator.itunes, to: control)
        add(simulator.push, to: control)
        simulator.push.addControls(to: control.group("push"))
        add(simulator.ntfy, to: control)
        simulator.ntfy.addControls(to: control.group("ntfy"))
    }

    /// The part of a list given by `offset` (default 0) and `limit` (default 100).
    static func part(of target: RequestTarget, most: Int) throws -> (offset: Int, limit: Int) {
        guard let offset = Int(target["offset"] ?? "0"), (0...RecordingCatalog.largestCount * 8).contains(offset),
            let limit = Int(target["limit"] ?? "100"), (0...most).contains(limit)
        else { throw HTTPError(.badRequest, message: "offset and limit are numbers, limit at most \(most).") }
        return (offset, limit)
    }

    private func add(_ upstream: some SimulatedUpstream, to control: RouterGroup<SimulatorContext>) {
        UpstreamControl(upstream: upstream).add(to: control.group(RouterPath(upstream.name)))
    }

    /// Ticketmaster's paths do not contain the upstream's name: they are older than the other upstreams.
    private func addTicketmaster(to control: RouterGroup<SimulatorContext>) {
        let ticketmaster = simulator.ticketmaster
        control.get("counters") { _, _ in try ControlJSON.encode(ticketmaster.counters) }
        control.get("arrivals") { _, _ in try ControlJSON.encode(ticketmaster.log) }
        control.post("reset") { _, _ in
            ticketmaster.reset()
            return try ControlJSON.encode(ticketmaster.counters)
        }
        control.get("faults") { _, _ in try ControlJSON.encode(ticketmaster.faultBook.entries) }
        control.post("faults") { request, context in
            ticketmaster.add(try await ControlJSON.rules(request, context, knows: TicketmasterSimulator.knows))
            return try ControlJSON.encode(ticketmaster.faultBook.entries)
        }
        control.delete("faults") { _, _ in
            ticketmaster.removeFaults()
            return try ControlJSON.encode(ticketmaster.faultBook.entries)
        }
        control.get("config") { _, _ in try ControlJSON.encode(ticketmaster.settings) }
        control.post("config") { request, context in
            let settings = try await ControlJSON.decode(TicketmasterSettings.self, request, context)
            for (name, value) in [
                ("latencyMs", settings.latencyMs), ("perSecond", settings.perSecond),
                ("dailyQuota", settings.dailyQuota), ("quotaWindowSeconds", settings.quotaWindowSeconds),
            ] {
                if let value, value < 0 { throw HTTPError(.badRequest, message: "\(name) must not be negative.") }
            }
            ticketmaster.apply(settings)
            return try ControlJSON.encode(ticketmaster.settings)
        }
        control.get("artists") { request, _ in
            let target = RequestTarget(request.uri.string)
            let kinds = TicketmasterSimulator.ArtistKind.allCases.map(\.rawValue).joined(separator: ", ")
            guard let kind = TicketmasterSimulator.ArtistKind(rawValue: target["kind"] ?? "popular"),
                let count = Int(target["count"] ?? "20"), count >= 0,
                let offset = Int(target["offset"] ?? "0"), offset >= 0
            else { throw HTTPError(.badRequest, message: "count and offset are numbers; kind is one of \(kinds).") }
            return try ControlJSON.encode(ticketmaster.artists(kind, count: count, offset: offset))
        }
    }
}
