import Contracts
import Model

/// A job that waits for a worker, as the dispatcher keeps it in memory.
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
    /// What a worker needs besides, while that is at hand: it saves reading the row at the hand-out.
    var parcel: Parcel?

    /// The rest of a job that was never handed out.
    struct Parcel: Sendable, Equatable {
        /// Larger payloads are not kept.
        static let maximumPayload = 1_024
        /// Beyond so many waiting jobs none are kept any more.
        static let maximumCount = 20_000

        var payload: String
        var maximumAttempts: Int
        var trace: String?
    }
}
