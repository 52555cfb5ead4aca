import Hummingbird

/// The control routes `/_sim/NAME/` that every upstream has. The upstreams' own folders add more.
struct UpstreamControl<Upstream: SimulatedUpstream>: Sendable {
    let upstream: Upstream

    func add(to control: RouterGroup<SimulatorContext>) {
        let upstream = upstream
        let recorder = upstream.recorder
        control.get("counters") { _, _ in try ControlJSON.encode(recorder.log.endpoints) }
        control.get("arrivals") { _, _ in try ControlJSON.encode(recorder.log.entries) }
        control.post("reset") { _, _ in
            upstream.reset()
            recorder.reset()
            return try ControlJSON.encode(recorder.log.endpoints)
        }
        control.get("faults") { _, _ in try ControlJSON.encode(recorder.faultBook.entries) }
        control.post("faults") { request, context in
            recorder.add(try await ControlJSON.rules(request, context, knows: upstream.knows))
            return try ControlJSON.encode(recorder.faultBook.entries)
        }
        control.delete("faults") { _, _ in
            recorder.removeFaults()
            return try ControlJSON.encode(recorder.faultBook.entries)
        }
        control.post("faults/release") { _, _ in
            recorder.release()
            return try ControlJSON.encode(recorder.faultBook.entries)
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
