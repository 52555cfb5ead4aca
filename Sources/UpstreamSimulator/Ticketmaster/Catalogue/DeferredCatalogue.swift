import Synchronization

/// A catalogue that is built when it is first read: it takes most of a simulator's start, and many simulators are only
/// asked for other upstreams.
final class DeferredCatalogue: Sendable {
    private let built = Mutex<Catalogue?>(nil)
    private let build: @Sendable () -> Catalogue

    init(_ build: @escaping @Sendable () -> Catalogue) {
        self.build = build
    }

    /// Reads that come while it is built wait.
    var value: Catalogue {
        built.withLock { built in
            if let built { return built }
            let new = build()
            built = new
            return new
        }
    }
}
