import Hummingbird

/// The control routes of one service's libraries, below `/_sim/NAME/`.
///
/// | route | body or parameters | answer |
/// |---|---|---|
/// | `GET library` | `person` | ``LibrarySummary`` |
/// | `POST library` | ``LibraryPlan`` | ``LibrarySummary``; the person's former library is gone |
/// | `POST library/changes` | ``LibraryChange`` | ``LibrarySummary`` with the ids that were added and removed |
/// | `DELETE library/changes` | | ``LibrarySummary``; changes that wait for a request are dropped |
/// | `POST library/record` | | an empty ``LibraryRecord``; from now on everything is recorded |
/// | `GET library/record` | | the ``LibraryRecord`` |
/// | `GET library/playlists` | `person`, `storefront` | the playlists, each as in the record |
/// | `GET library/truth` | `person`, `offset`, `limit` (of all saved tracks, in their order) | ``LibraryTruth``s |
///
/// Without a person the routes apply to the usual one. Libraries are settings: `POST reset` does not remove them.
struct LibraryControl: Sendable {
    let libraries: LibraryRegistry
    /// The person to use if a command names none.
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
        control.delete("library/changes") { request, _ in
            libraries.forgetWaiting()
            let person = RequestTarget(request.uri.string)["person"] ?? usual()
            return try ControlJSON.encode(libraries.library(of: person).summary)
        }
        control.post("library/record") { _, _ in
            libraries.beginRecord()
            return try ControlJSON.encode(LibraryRecord())
        }
        control.get("library/record") { _, _ in
            guard let record = libraries.record else {
                throw HTTPError(
                    .badRequest, message: "Nothing is being recorded; POST library/record starts a recording.")
            }
            return try ControlJSON.encode(record)
        }
        control.get("library/playlists") { request, _ in
            let target = RequestTarget(request.uri.string)
            let library = libraries.library(of: target["person"] ?? usual())
            let storefront = target["storefront"] ?? "fr"
            return try ControlJSON.encode(
                library.playlists.map { RecordedPlaylist($0, in: library, storefront: storefront) })
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

/// A playlist with the songs that its service shows: `GET …/library/playlists`.
struct RecordedPlaylist: Sendable, Codable {
    var id: String
    var name: String
    /// The entries as in ``LibraryRecord/Event/entries``, without those that are not shown yet.
    var entries: [String]
    /// The ids of the same songs in the service's catalog.
    var catalogIds: [String]

    init(_ playlist: SavedPlaylist, in library: PersonalLibrary, storefront: String) {
        (id, name) = (playlist.id, playlist.name)
        entries = playlist.items.map { library.songID(of: $0) ?? "" }
        catalogIds = playlist.items.map { library.catalogID(of: $0, storefront: storefront) ?? "" }
    }
}
