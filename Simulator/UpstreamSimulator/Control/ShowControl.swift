import Hummingbird

/// The control routes of Ticketmaster's shows, below `/_sim/`.
///
/// | route | body or parameters | answer |
/// |---|---|---|
/// | `GET shows` | `artist` | the artist's ``ShowView``s |
/// | `POST shows` | a ``ShowCommand``, or a list of them | the ``ShowView``s of their shows |
/// | `GET date` | | ``Moment``: the simulator's date |
/// | `POST date` | ``Step`` | the ``ShowView``s of what happened on the days that have passed |
///
/// Shows are settings: `POST reset` does not undo what happened to them.
struct ShowControl: Sendable {
    let ticketmaster: TicketmasterSimulator

    struct Moment: Codable, Sendable {
        /// `YYYY-MM-DD`.
        var date: String
    }

    struct Step: Codable, Sendable {
        var days: Int
    }

    func add(to control: RouterGroup<SimulatorContext>) {
        let ticketmaster = ticketmaster
        control.get("shows") { request, _ in
            guard let artist = RequestTarget(request.uri.string)["artist"] else {
                throw HTTPError(.badRequest, message: "Name an artist: ?artist=NAME.")
            }
            return try ControlJSON.encode(ticketmaster.shows(of: artist))
        }
        control.post("shows") { request, context in
            let commands = try await ControlJSON.list(ShowCommand.self, request, context)
            return try Self.answer { try ticketmaster.carryOut(commands) }
        }
        control.get("date") { _, _ in try ControlJSON.encode(Moment(date: ticketmaster.date.description)) }
        control.post("date") { request, context in
            let step = try await ControlJSON.decode(Step.self, request, context)
            return try Self.answer { try ticketmaster.advance(by: step.days) }
        }
    }

    private static func answer(_ work: () throws -> [ShowView]) throws -> Response {
        do {
            return try ControlJSON.encode(work())
        } catch let error as InvalidSetting {
            throw HTTPError(.badRequest, message: error.description)
        }
    }
}
