import HTTPTypes
import Hummingbird
import Model
import NIOCore
import ServiceLifecycle

extension TicketmasterSimulator {
    /// Ends a connection in the middle of a body.
    private struct CutOff: Error {}

    /// Serves everything below `/discovery/v2`.
    func addRoutes(to router: Router<SimulatorContext>) {
        router.get("discovery/v2/**") { request, context in
            try await self.respond(to: request, context)
        }
    }

    private func respond(to request: Request, _ context: SimulatorContext) async throws -> Response {
        guard let number = request.headers[ArrivalHandler.field].flatMap(UInt64.init), let arrival = claim(number)
        else { throw HTTPError(.internalServerError, message: "A request came past the arrival handler.") }
        let answer = answer(arrival)
        let due = arrival.at.advanced(by: answer.pause)
        let remaining = MonotonicInstant.now().duration(to: due)
        if remaining > .zero {
            // A simulator that is told to stop does not wait for slow answers.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: remaining) }
        }
        return try await deliver(answer, on: context.channel)
    }

    private func deliver(_ answer: Answer, on channel: any Channel) async throws -> Response {
        let body = ByteBuffer(string: answer.body)
        var response = Response(
            status: .init(code: answer.status), headers: Self.headers(of: answer),
            body: ResponseBody(byteBuffer: body))
        switch answer.delivery {
        case .whole: break
        case .wholeThenClose:
            try await channel.triggerUserOutboundEvent(ArrivalHandler.CloseAfterResponse()).get()
        case .half:
            response.body = ResponseBody(contentLength: body.readableBytes) { writer in
                try await writer.write(body.getSlice(at: 0, length: body.readableBytes / 2) ?? body)
                throw CutOff()
            }
        case .none:
            // The channel may be gone already: the client's doing, and just as well.
            try? await channel.close()
        }
        return response
    }

    private static func headers(of answer: Answer) -> HTTPFields {
        var fields: HTTPFields = [.contentType: answer.contentType]
        var pairs = answer.headers
        if let standing = answer.standing, answer.status == 200 {
            pairs += [
                ("Rate-Limit", String(standing.limit)), ("Rate-Limit-Available", String(standing.available)),
                ("Rate-Limit-Over", "0"), ("Rate-Limit-Reset", String(standing.resetsAt.microseconds / 1_000)),
            ]
        }
        for pair in pairs {
            if let name = HTTPField.Name(pair.name) { fields[name] = pair.value }
        }
        return fields
    }
}
