import Foundation
import Hummingbird

/// `/_sim/`: how a test looks into the simulator and sets it up.
struct ControlRoutes: Sendable {
    let simulator: Simulator

    func add(to router: Router<SimulatorContext>) {
        let control = router.group("_sim")
        let ticketmaster = simulator.ticketmaster
        control.get("counters") { _, _ in try Self.json(ticketmaster.counters) }
        control.get("arrivals") { _, _ in try Self.json(ticketmaster.log) }
        control.post("reset") { _, _ in
            ticketmaster.reset()
            return try Self.json(ticketmaster.counters)
        }
        control.get("faults") { _, _ in try Self.json(ticketmaster.faultBook.entries) }
        control.post("faults") { request, context in
            ticketmaster.add(try await Self.decode(OneOrMany<FaultRule>.self, request, context).all)
            return try Self.json(ticketmaster.faultBook.entries)
        }
        control.delete("faults") { _, _ in
            ticketmaster.removeFaults()
            return try Self.json(ticketmaster.faultBook.entries)
        }
        control.get("config") { _, _ in try Self.json(ticketmaster.settings) }
        control.post("config") { request, context in
            let settings = try await Self.decode(TicketmasterSettings.self, request, context)
            for (name, value) in [
                ("latencyMs", settings.latencyMs), ("perSecond", settings.perSecond),
                ("dailyQuota", settings.dailyQuota), ("quotaWindowSeconds", settings.quotaWindowSeconds),
            ] {
                if let value, value < 0 { throw HTTPError(.badRequest, message: "\(name) must not be negative.") }
            }
            ticketmaster.apply(settings)
            return try Self.json(ticketmaster.settings)
        }
        control.get("artists") { request, _ in
            let target = RequestTarget(request.uri.string)
            let kinds = TicketmasterSimulator.ArtistKind.allCases.map(\.rawValue).joined(separator: ", ")
            guard let kind = TicketmasterSimulator.ArtistKind(rawValue: target["kind"] ?? "popular"),
                let count = Int(target["count"] ?? "20"), count >= 0,
                let offset = Int(target["offset"] ?? "0"), offset >= 0
            else { throw HTTPError(.badRequest, message: "count and offset are numbers; kind is one of \(kinds).") }
            return try Self.json(ticketmaster.artists(kind, count: count, offset: offset))
        }
    }

    /// A JSON body that is a value or a list of values.
    private struct OneOrMany<Value: Decodable & Sendable>: Decodable, Sendable {
        var all: [Value]

        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                all = []
                while !list.isAtEnd { all.append(try list.decode(Value.self)) }
            } else {
                all = [try Value(from: decoder)]
            }
        }
    }

    /// Reads JSON whatever `Content-Type` says, as `curl -d` sends a form's.
    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ request: Request, _ context: SimulatorContext
    ) async throws -> Value {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
        } catch {
            throw HTTPError(.badRequest, message: "The body is not what this route takes: \(error)")
        }
    }

    private static func json(_ value: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = ByteBuffer(bytes: try encoder.encode(value))
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
    }
}
