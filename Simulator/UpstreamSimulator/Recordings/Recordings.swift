import Synchronization

/// The recordings of the running simulator, which Spotify and Apple Music share.
final class Recordings: Sendable {
    private struct State: Sendable {
        var catalog: RecordingCatalog
        var albums = NewAlbums()
        var searches: [MusicService: RecordingSearch] = [:]
        /// Counts the catalogs, so that a search over a former one is not stored.
        var generation = 0
    }

    private let state: Mutex<State>

    init(catalog: RecordingCatalog = RecordingCatalog()) {
        state = Mutex(State(catalog: catalog))
    }

    var catalog: RecordingCatalog { state.withLock { $0.catalog } }

    /// The albums that came out on command.
    var albums: NewAlbums { state.withLock { $0.albums } }

    func changeAlbums<Value: Sendable>(_ change: (inout NewAlbums) -> Value) -> Value {
        state.withLock { change(&$0.albums) }
    }

    /// Sets the day on which services are asked (``NewAlbums/move(to:in:)``).
    func move(to day: LocalDay?) {
        state.withLock { $0.albums.move(to: day, in: $0.catalog) }
    }

    /// Replaces the catalog; ids of the former one mean nothing afterwards, and new albums are gone.
    func replace(by catalog: RecordingCatalog) {
        state.withLock { state in
            state.catalog = catalog
            state.albums.removeAll()
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
