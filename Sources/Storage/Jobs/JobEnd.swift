/// How a job ended for good.
package enum JobEnding: Sendable, Equatable, Codable {
    case succeeded
    /// A dead letter.
    ///
    /// - Parameter code: that of its error: the handler's own, `timedOut`, `poison`, ….
    case failed(code: String)
    case cancelled
    /// It was not finished when its person was erased, who is gone by now.
    case erased
}

/// A job that has ended for good, as its domain sees it.
package struct EndedJob: Sendable, Equatable {
    package var id: String
    package var userID: String
    package var kind: String
    /// Of the payload.
    package var version: Int
    /// JSON, as it was submitted.
    package var payload: String
    package var ending: JobEnding

    package init(id: String, userID: String, kind: String, version: Int, payload: String, ending: JobEnding) {
        self.id = id
        self.userID = userID
        self.kind = kind
        self.version = version
        self.payload = payload
        self.ending = ending
    }
}

/// What a domain writes in the very transaction that ends a job of a kind for good, however it ends and whichever
/// process ends it.
///
/// Every process that may end jobs has all of them (``Database/register(_:onRefusal:)``). A kind without one pays
/// nothing for it.
package struct JobEnd: Sendable {
    /// Whether an end could be undone.
    package enum Undoing: Sendable {
        case undone
        /// Somebody acts on it already: the job stays a dead letter.
        case impossible
    }

    /// The name of the kind.
    package let kind: String
    /// Makes the rows, once for each end. After a success the rows of the job's result are there already.
    ///
    /// What it throws undoes its rows and nothing else: the job ends all the same, and the rows are tried again later,
    /// when other rows may have changed and the job's own may be gone.
    let write: @Sendable (EndedJob, WriteTransaction) throws -> Void
    /// Takes the rows back, in the transaction that requeues a dead letter; `nil` where that is never possible.
    let undo: (@Sendable (EndedJob, WriteTransaction) throws -> Undoing)?

    package init(
        kind: String, undo: (@Sendable (EndedJob, WriteTransaction) throws -> Undoing)? = nil,
        write: @escaping @Sendable (EndedJob, WriteTransaction) throws -> Void
    ) {
        self.kind = kind
        self.undo = undo
        self.write = write
    }
}

/// An end whose rows the database refused; the job ended without them, and they are tried again.
package struct RefusedEnd: Sendable {
    package var jobID: String
    package var kind: String
    /// How often they were tried, from 1.
    package var tries: Int
    package var error: any Error
}

/// A person's erasure has to wait: their jobs have ended, and the database still refuses rows of these ends. What the
/// ends may need is kept until they are written.
package struct EndsStillOwed: Error, Sendable, Equatable, CustomStringConvertible {
    package init() {}

    package var description: String {
        "The rows that jobs of a person owe since they ended are refused; the rest of the person's rows is erased when "
            + "these are written. The log says which and why: 'a job ended without its rows'."
    }
}

/// A dead letter cannot be requeued: what its end wrote cannot be undone.
package struct JobNotRequeueable: Error, Sendable, Equatable {
    package var jobID: String

    package init(jobID: String) {
        self.jobID = jobID
    }
}

/// The ends that a process knows.
struct JobEnds: Sendable {
    private let byKind: [String: JobEnd]
    let onRefusal: @Sendable (RefusedEnd) -> Void

    init(_ ends: [JobEnd] = [], onRefusal: @escaping @Sendable (RefusedEnd) -> Void = { _ in }) {
        byKind = Dictionary(uniqueKeysWithValues: ends.map { ($0.kind, $0) })
        self.onRefusal = onRefusal
    }

    subscript(kind: String) -> JobEnd? { byKind.isEmpty ? nil : byKind[kind] }
}
