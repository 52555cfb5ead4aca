/// A connected worker, for operators.
package struct WorkerSummary: Sendable {
    package var name: String
    package var processID: Int32
    /// How many jobs it holds.
    package var held: Int
    /// How many more it can take.
    package var free: Int
    package var isDraining: Bool
}

extension Dispatcher {
    /// Who is connected, by name.
    package var workers: [WorkerSummary] {
        state.withLock { state in
            state.workers.values.map {
                WorkerSummary(
                    name: $0.introduction.name, processID: $0.introduction.processID, held: $0.held.count, free: $0.free,
                    isDraining: $0.isDraining)
            }
        }.sorted { $0.name < $1.name }
    }
}
