import Contracts
import Model

/// A job that waits for a worker, as the dispatcher has it in memory.
struct ReadyJob: Sendable, Equatable {
    var id: String
    /// The number of its last run; 0 for a job that never ran. If a job's row was read twice, the version with the
    /// higher number is the later one, and a claim succeeds only while the row still has that number.
    var lastRun: Int64 = 0
    var userID: String
    /// The person for whom the job is, if that is not its owner.
    var onBehalfOf: String?
    var kind: KindVersion
    var priority: Int
    /// Since when the job has waited; ageing is based on it.
    var since: MonotonicInstant
    /// The name of its crash group, whose jobs run together and apart from other work; `nil` for a job that is not a
    /// suspect.
    var group: String?
    /// Whether it ran when the gateway went down together with its worker, within the last hour.
    var ranAtOutage = false
    /// The weight of workers' deaths against it (``CrashScores``).
    var crashes = 0
    /// Its person's position when the job was removed from the queue, so that it can be put back.
    var position = 0
    /// The order of arrival in the queue, which decides between jobs of the same moment.
    var arrival = 0
    /// The other columns that a worker needs, while they are in memory: they save reading the row at the assignment.
    var insertedRow: InsertedRow?

    /// The person for whom the job is, and whose share and limits apply.
    var person: String { onBehalfOf ?? userID }

    var isSuspect: Bool { group != nil }

    var isInteractive: Bool { priority >= JobPriority.interactive }

    /// Columns of a job that was inserted by this gateway and never handed out.
    struct InsertedRow: Sendable, Equatable {
        /// The size in bytes of the largest payload that is kept in memory.
        static let maximumPayload = 1_024
        /// The number of waiting jobs beyond which no more rows are kept.
        static let maximumCount = 20_000

        var payload: String
        var maximumAttempts: Int
        var trace: String?
    }
}
