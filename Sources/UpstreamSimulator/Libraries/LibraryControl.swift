import Hummingbird

/// The control routes of one service's libraries, below `/_sim/NAME/`.
///
/// | route | body or parameters | answer |
/// |---|---|---|
/// | `GET library` | `person` | ``LibrarySummary`` |
/// | `POST library` | ``LibraryPlan`` | ``LibrarySummary``; the person's former library is gone |
/// | `POST library/changes` | ``LibraryChange`` | ``LibrarySummary`` with the ids that were added and removed |
/// | `GET library/truth` | `person`, `offset`, `limit` (of all saved tracks, in their order) | ``LibraryTruth``s |
///
/// Without a person the routes are about the usual one. Libraries are settings: `POST reset` keeps them.
struct LibraryControl: Sendable {
    let libraries: LibraryShelf
    /// The person when a command names none.
    let usual: @Sendable () -> String
    /// Whether there is such a person.
    let knows: @Sendable (String) -> Bool

    func add(to control: RouterGroup<SimulatorContext>) {
        let libraries = libraries
        let usual = usual
        let knows = knows
        control.get("library") { request, _ in
            let person = RequestTarget(request.uri.string)["person"] ?? usual()
            return try ControlJSON.encode(libraries.library(of: person).summary)
        }
        control.post("library") { request, context in
            let plan = try await ControlJSON.decode(LibraryPlan.self, request, context)
            let person = plan.person ?? usual()
            guard knows(person) else { throw HTTPError(.badRequest, message: "There is no person '\(person)'.") }
            return try Self.answer { try libraries.fill(person, plan) }
        }
        control.post("library/changes") { request, context in
            let change = try await ControlJSON.decode(LibraryChange.self, request, context)
            return try Self.answer { try libraries.change(change.person ?? usual(), change) }
        }
        control.get("library/truth") { request, _ in
            let target = RequestTarget(request.uri.string)
            let (offset, limit) = try ControlRoutes.part(of: target, most: 1_000_000)
            let library = libraries.library(of: target["person"] ?? usual())
            return try ControlJSON.encode(library.truth(offset: offset, limit: limit))
        }
    }

    private static func answer(_ work: () throws -> LibrarySummary) throws -> Response {
        do {
            return try ControlJSON.encode(work())
        } catch let error as InvalidSetting {
            throw HTTPError(.badRequest, message: error.description)
        }
    }
}
