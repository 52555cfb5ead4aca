import HTTPTypes
import Hummingbird
import Model
import NIOCore
import ServiceLifecycle

/// The routes of one upstream. They count each call, answer it or apply a fault, and wait for the latency.
struct UpstreamRoutes<Upstream: SimulatedUpstream>: Sendable {
    let upstream: Upstream

    /// The limit for bodies in bytes, larger than the body of any call here.
    private static var largestBody: Int { 256 << 10 }

    func add(to router: Router<SimulatorContext>) {
        for folder in upstream.folders {
            for method in [HTTPRequest.Method.get, .post, .put, .delete] {
                for path in [RouterPath(folder), RouterPath("\(folder)/**")] {
                    router.on(path, method: method) { request, context in try await respond(to: request, context) }
                }
            }
        }
    }

    private func respond(to request: Request, _ context: SimulatorContext) async throws -> Response {
        let arrived = MonotonicInstant.now()
        let body = try await request.body.collect(upTo: Self.largestBody)
        let call = Call(
            method: request.method, target: RequestTarget(request.uri.string), headers: request.headers,
            body: String(buffer: body), bytes: Array(buffer: body),
            origin: "http://" + (request.head.authority ?? "127.0.0.1"))
        let endpoint = upstream.endpoint(of: call)
        let counted = upstream.recorder.arrive(call, endpoint: endpoint, at: arrived)
        let rule = counted.fault

        let surroundings = upstream.shelf?.arrive(
            call.target, endpoint: endpoint, playlist: upstream.playlist(of: call), fault: rule?.fault)
        if let surroundings { upstream.shelf?.carryOut(surroundings, .before) }
        var answer = await SimulatedMedia.$origin.withValue(call.origin) { await decide(call, rule) }
        if let surroundings { upstream.shelf?.carryOut(surroundings, .after) }
        if rule?.fault != .drop { upstream.recorder.answer(counted.number, status: answer.status) }
        answer.pause += upstream.recorder.latency
        let remaining = MonotonicInstant.now().duration(to: arrived.advanced(by: answer.pause))
        if remaining > .zero {
            // A simulator that is shutting down does not wait for slow answers.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: remaining) }
        }
        if let release = counted.release {
            // Nor does it wait for one that is held back.
            await cancelWhenGracefulShutdown { for await _ in release {} }
        }
        return try await answer.response(on: context.channel)
    }

    /// A refusal replaces the call. Damage to the answer is applied after the call was carried out.
    private func decide(_ call: Call, _ rule: FaultRule?) async -> Answer {
        guard let rule else { return await upstream.answer(call) }
        if let refusal = upstream.refusal(rule) ?? rule.commonRefusal { return refusal }
        return rule.damage(await upstream.answer(call))
    }
}
