import Synchronization

/// A catalogue that is built when it is first read: building it takes most of a simulator's startup time, and many
/// simulators are only used for other upstreams.
final class DeferredCatalogue: Sendable {
    private let built = Mutex<Catalogue?>(nil)
    private let build: @Sendable () -> Catalogue

    init(_ build: @escaping @Sendable () -> Catalogue) {
        self.build = build
    }

    /// The catalogue. Reads wait while it is being built.
    var value: Catalogue {
        built.withLock { built in
            if let built { return built }
            let new = build()
            built = new
            return new
        }
    }
}
