import Contracts
import Model

/// A job that waits for a worker, as the dispatcher keeps it in memory: without its payload.
struct ReadyJob: Sendable, Equatable {
    var id: String
    var userID: String
    var kind: KindVersion
    var priority: Int
    /// Since when it has waited, for ageing.
    var since: MonotonicInstant
    /// It was there when a worker died: it runs alone on its worker until it ends.
    var isSuspect = false
    /// What deaths are held against it (``CrashLedger``).
    var crashes = 0
}
