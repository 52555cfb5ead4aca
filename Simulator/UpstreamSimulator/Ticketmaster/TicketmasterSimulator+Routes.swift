import Hummingbird
import Model
import NIOCore
import ServiceLifecycle

extension TicketmasterSimulator {
    /// Serves everything below `/discovery/v2`, and the pictures that its documents name.
    func addRoutes(to router: Router<SimulatorContext>) {
        router.get("discovery/v2/**") { request, context in
            try await self.respond(to: request, context)
        }
        router.get(RouterPath(PictureFile.folder + "/**")) { request, _ in
            try self.picture(at: request.uri.path)
        }
    }

    /// Pictures need no key and do not count as calls, as on Ticketmaster's own host for pictures.
    private func picture(at path: String) throws -> Response {
        guard let file = PictureFile(path: path), let portrait = portrait(for: file) else {
            throw HTTPError(.notFound)
        }
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: portrait.drawn(in: file.size).jpeg))
        return Response(
            status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "public, max-age=86400"], body: body)
    }

    private func respond(to request: Request, _ context: SimulatorContext) async throws -> Response {
        guard let number = request.headers[ArrivalHandler.field].flatMap(UInt64.init), var arrival = claim(number)
        else { throw HTTPError(.internalServerError, message: "A request bypassed the arrival handler.") }
        if let authority = request.head.authority { arrival.origin = "http://" + authority }
        let answer = answer(arrival)
        let due = arrival.at.advanced(by: answer.pause)
        let remaining = MonotonicInstant.now().duration(to: due)
        if remaining > .zero {
            // A simulator that is shutting down does not wait for slow answers.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: remaining) }
        }
        return try await answer.response(on: context.channel)
    }
}
