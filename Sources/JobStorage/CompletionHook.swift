import Storage

/// How a job ended permanently.
package enum FinalState: Sendable, Equatable, Codable {
    case succeeded
    /// A dead letter.
    ///
    /// - Parameter code: the error code: the handler's own code, `timedOut`, `poison`, ….
    case failed(code: String)
    case cancelled
    /// It was unfinished when its owner was erased.
    case erased

    /// Whether the job was set aside because it killed its workers.
    package var isQuarantined: Bool {
        switch self {
        case .failed("poison"), .failed("tooManyDeaths"): true
        default: false
        }
    }
}

/// A job that has ended permanently, as its domain sees it.
package struct FinishedJob: Sendable, Equatable {
    package var id: String
    package var userID: String
    package var kind: String
    /// The version of the payload.
    package var version: Int
    /// The payload as submitted, in JSON.
    package var payload: String
    package var ending: FinalState

    package init(id: String, userID: String, kind: String, version: Int, payload: String, ending: FinalState) {
        self.id = id
        self.userID = userID
        self.kind = kind
        self.version = version
        self.payload = payload
        self.ending = ending
    }
}

/// The rows that a domain writes in the transaction that permanently ends a job of a kind, however it ends and in
/// whichever process (`docs/decisions/011-ends-and-checkpoints.md`).
///
/// Every process that may end jobs registers all of them (``Database/register(_:onRefusal:)``).
package struct CompletionHook: Sendable {
    /// The outcome of undoing an end.
    package enum UndoResult: Sendable {
        case undone
        /// Others have already acted on the rows. The job remains a dead letter.
        case impossible
    }

    /// The name of the kind.
    package let kind: String
    /// Writes the rows, once for each end. After a success, the rows of the job's result already exist.
    ///
    /// An error undoes these rows and nothing else: the job ends all the same. Writing the rows is retried later, when
    /// other rows may have changed and the job's own row may be gone.
    let write: @Sendable (FinishedJob, WriteTransaction) throws -> Void
    /// Undoes the rows in the transaction that requeues a dead letter; `nil` if that is never possible.
    let undo: (@Sendable (FinishedJob, WriteTransaction) throws -> UndoResult)?

    package init(
        kind: String, undo: (@Sendable (FinishedJob, WriteTransaction) throws -> UndoResult)? = nil,
        write: @escaping @Sendable (FinishedJob, WriteTransaction) throws -> Void
    ) {
        self.kind = kind
        self.undo = undo
        self.write = write
    }
}

/// An end whose rows were refused. The job has ended without them, and writing them will be retried.
package struct HookFailure: Sendable {
    package var jobID: String
    package var kind: String
    /// How often the rows were tried, from 1.
    package var tries: Int
    package var error: any Error
}

/// A person's erasure has to wait because rows for the ends of their jobs are still refused. Rows that the ends may
/// need are kept until then.
package struct PendingHooks: Error, Sendable, Equatable, CustomStringConvertible {
    package init() {}

    package var description: String {
        "Rows that depend on the ends of a person's jobs cannot be written yet; the person's other rows are erased "
            + "once these are written. The log names the jobs and the reason: 'rows that depend on the end of a job'."
    }
}

/// A dead letter cannot be requeued, because the rows of its end cannot be undone.
package struct JobNotRequeueable: Error, Sendable, Equatable {
    package var jobID: String

    package init(jobID: String) {
        self.jobID = jobID
    }
}

/// The ends that a process has registered.
struct CompletionHooks: Sendable {
    private let byKind: [String: CompletionHook]
    let onRefusal: @Sendable (HookFailure) -> Void

    init(_ ends: [CompletionHook] = [], onRefusal: @escaping @Sendable (HookFailure) -> Void = { _ in }) {
        byKind = Dictionary(uniqueKeysWithValues: ends.map { ($0.kind, $0) })
        self.onRefusal = onRefusal
    }

    subscript(kind: String) -> CompletionHook? { byKind.isEmpty ? nil : byKind[kind] }
}
