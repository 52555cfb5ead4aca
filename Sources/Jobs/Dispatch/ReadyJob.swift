import Contracts
import Model

/// A job that waits for a worker, as the dispatcher keeps it in memory.
struct ReadyJob: Sendable, Equatable {
    var id: String
    var userID: String
    /// The person whom it is for, when that is not its owner.
    var onBehalfOf: String?
    var kind: KindVersion
    var priority: Int
    /// Since when it has waited, for ageing.
    var since: MonotonicInstant
    /// The jobs with which it was lost when a worker died: they run together, apart from other work. `nil` for one
    /// that is under no suspicion.
    var group: String?
    /// It ran when this gateway or the machine went down together with its worker, within the last hour.
    var ranAtOutage = false
    /// What deaths are held against it (``CrashLedger``).
    var crashes = 0
    /// Its person's position among those who wait when it was taken from the queue, so that it can be put back.
    var position = 0
    /// The number of its coming to the queue, for those that came at one moment.
    var arrival = 0
    /// What a worker needs besides, while that is at hand: it saves reading the row at the hand-out.
    var parcel: Parcel?

    /// Whom it is for: its shares and limits are theirs.
    var person: String { onBehalfOf ?? userID }

    var isSuspect: Bool { group != nil }

    var isInteractive: Bool { priority >= JobPriority.interactive }

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
