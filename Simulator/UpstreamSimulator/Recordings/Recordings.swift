import Synchronization

/// The recordings of the running simulator, which Spotify and Apple Music share.
final class Recordings: Sendable {
    private struct State: Sendable {
        var catalog: RecordingCatalog
        var searches: [MusicService: RecordingSearch] = [:]
        /// Counts the catalogs, so that a search over a former one is not stored.
        var generation = 0
    }

    private let state: Mutex<State>

    init(catalog: RecordingCatalog = RecordingCatalog()) {
        state = Mutex(State(catalog: catalog))
    }

    var catalog: RecordingCatalog { state.withLock { $0.catalog } }

    /// Replaces the catalog; ids of the former one mean nothing afterwards.
    func replace(by catalog: RecordingCatalog) {
        state.withLock { state in
            state.catalog = catalog
            state.searches = [:]
            state.generation += 1
        }
    }

    /// The first search at a service has to read all titles; the lock is not held meanwhile.
    func search(on service: MusicService) -> RecordingSearch {
        let (catalog, known, generation) = state.withLock { ($0.catalog, $0.searches[service], $0.generation) }
        if let known { return known }
        let search = RecordingSearch(catalog, on: service)
        state.withLock { state in
            if state.generation == generation { state.searches[service] = search }
        }
        return search
    }
}
