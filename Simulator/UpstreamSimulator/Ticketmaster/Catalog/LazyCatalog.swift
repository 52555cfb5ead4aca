import Synchronization

/// A catalog that is built when it is first read: building it takes most of a simulator's startup time, and many
/// simulators are only used for other upstreams.
final class LazyCatalog: Sendable {
    private let built = Mutex<TicketmasterCatalog?>(nil)
    private let build: @Sendable () -> TicketmasterCatalog

    init(_ build: @escaping @Sendable () -> TicketmasterCatalog) {
        self.build = build
    }

    /// The catalog. Reads wait while it is being built.
    var value: TicketmasterCatalog {
        built.withLock { built in
            if let built { return built }
            let new = build()
            built = new
            return new
        }
    }

    func replace(by catalog: TicketmasterCatalog) {
        built.withLock { $0 = catalog }
    }
}
