import Hummingbird

/// The control routes of the recordings, below `/_sim/recordings`.
///
/// | route | body or parameters | answer |
/// |---|---|---|
/// | `GET recordings` | `offset`, `limit` (of the recordings' numbers), `storefront` (`us`) | ``RecordingTruth``s |
/// | `GET recordings/settings` | | `{"seed", "count"}` |
/// | `POST recordings/settings` | `{"seed", "count"}`, either | the same; all libraries are gone |
struct RecordingControl: Sendable {
    /// The catalog. In a change, missing members stay as they are.
    struct Settings: Sendable, Codable {
        var seed: UInt64?
        /// Rounded up to whole artists of 40 recordings.
        var count: Int?
    }

    let recordings: Recordings
    let libraries: [LibraryRegistry]

    func add(to control: RouterGroup<SimulatorContext>) {
        let recordings = recordings
        let libraries = libraries
        control.get { request, _ in
            let target = RequestTarget(request.uri.string)
            let (offset, limit) = try ControlRoutes.part(of: target, most: 100_000)
            let catalog = recordings.catalog
            let storefront = target["storefront"] ?? "us"
            let numbers = min(offset, catalog.count)..<min(offset + limit, catalog.count)
            return try ControlJSON.encode(
                numbers.map { RecordingTruth($0, of: catalog, storefront: storefront) })
        }
        control.get("settings") { _, _ in try ControlJSON.encode(Self.settings(recordings)) }
        control.post("settings") { request, context in
            let change = try await ControlJSON.decode(Settings.self, request, context)
            let former = recordings.catalog
            let count = change.count ?? former.count
            guard (1...RecordingCatalog.largestCount).contains(count) else {
                throw HTTPError(.badRequest, message: "count is 1 to \(RecordingCatalog.largestCount).")
            }
            recordings.replace(by: RecordingCatalog(seed: change.seed ?? former.seed, count: count))
            for shelf in libraries { shelf.clear() }
            return try ControlJSON.encode(Self.settings(recordings))
        }
    }

    private static func settings(_ recordings: Recordings) -> Settings {
        Settings(seed: recordings.catalog.seed, count: recordings.catalog.count)
    }
}
