import Hummingbird

/// `/_sim/NAME/`: what tests see and set up of any upstream; its own folder adds what only it has.
struct UpstreamControl<Upstream: SimulatedUpstream>: Sendable {
    let upstream: Upstream

    func add(to control: RouterGroup<SimulatorContext>) {
        let upstream = upstream
        let desk = upstream.desk
        control.get("counters") { _, _ in try ControlJSON.encode(desk.log.endpoints) }
        control.get("arrivals") { _, _ in try ControlJSON.encode(desk.log.entries) }
        control.post("reset") { _, _ in
            upstream.reset()
            desk.reset()
            return try ControlJSON.encode(desk.log.endpoints)
        }
        control.get("faults") { _, _ in try ControlJSON.encode(desk.faultBook.entries) }
        control.post("faults") { request, context in
            desk.add(try await ControlJSON.rules(request, context, knows: upstream.knows))
            return try ControlJSON.encode(desk.faultBook.entries)
        }
        control.delete("faults") { _, _ in
            desk.removeFaults()
            return try ControlJSON.encode(desk.faultBook.entries)
        }
        control.get("config") { _, _ in try ControlJSON.encode(upstream.settings) }
        control.post("config") { request, context in
            let settings = try await ControlJSON.decode(Upstream.Settings.self, request, context)
            do {
                try upstream.apply(settings)
            } catch let error as InvalidSetting {
                throw HTTPError(.badRequest, message: error.description)
            }
            return try ControlJSON.encode(upstream.settings)
        }
    }
}
