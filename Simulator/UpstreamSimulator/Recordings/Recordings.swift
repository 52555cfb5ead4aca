import Synchronization

/// The recordings of the running simulator, which Spotify and Apple Music share.
final class Recordings: Sendable {
    private struct State: Sendable {
        var catalogue: RecordingCatalogue
        var searches: [MusicService: RecordingSearch] = [:]
        /// Counts the catalogues, so that a search over a former one is not stored.
        var generation = 0
    }

    private let state: Mutex<State>

    init(catalogue: RecordingCatalogue = RecordingCatalogue()) {
        state = Mutex(State(catalogue: catalogue))
    }

    var catalogue: RecordingCatalogue { state.withLock { $0.catalogue } }

    /// Replaces the catalogue; ids of the former one mean nothing afterwards.
    func replace(by catalogue: RecordingCatalogue) {
        state.withLock { state in
            state.catalogue = catalogue
            state.searches = [:]
            state.generation += 1
        }
    }

    /// The first search at a service has to read all titles; the lock is not held meanwhile.
    func search(on service: MusicService) -> RecordingSearch {
        let (catalogue, known, generation) = state.withLock { ($0.catalogue, $0.searches[service], $0.generation) }
        if let known { return known }
        let search = RecordingSearch(catalogue, on: service)
        state.withLock { state in
            if state.generation == generation { state.searches[service] = search }
        }
        return search
    }
}
