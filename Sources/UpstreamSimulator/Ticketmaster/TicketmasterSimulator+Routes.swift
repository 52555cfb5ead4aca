import Hummingbird
import Model
import ServiceLifecycle

extension TicketmasterSimulator {
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
        return try await answer.response(on: context.channel)
    }
}
