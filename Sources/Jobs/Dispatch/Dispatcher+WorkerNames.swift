extension Dispatcher {
    /// The names of the workers that are connected.
    package var workerNames: Set<String> { state.withLock { Set($0.workers.values.lazy.map(\.introduction.name)) } }
}
