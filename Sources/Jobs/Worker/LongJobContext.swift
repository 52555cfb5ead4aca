import Contracts
import JobStorage
import Model
import Storage

/// A job with checkpoints, as its handler sees it.
package struct LongJobContext<State: CheckpointState>: Sendable {
    private let context: JobContext
    private let rule: StateRule<State>
    /// The state of the last checkpoint; `nil` before the first.
    package let state: State?

    init(_ context: JobContext, state: State?, rule: StateRule<State>) {
        self.context = context
        self.state = state
        self.rule = rule
    }

    package var job: AssignedJob { context.job }

    /// See ``JobContext/person``.
    package var person: String { context.person }

    /// Reports progress to the gateway, which shows it to the job's owner.
    package func report(_ progress: JobProgress) { context.report(progress) }

    /// Whether the worker was asked to stop, so that the next checkpoint hands the job back.
    package var isEnding: Bool { context.checkpoints?.isEnding() ?? false }

    /// Writes rows and the job's state in one transaction, which is durable when this returns. It repeats the
    /// transaction while the database cannot accept it for a temporary reason.
    ///
    /// A checkpoint with more work done than any before it (``CheckpointState/workDone``) is progress: it resets failed
    /// attempts and the weight of crashes, and restarts the kind's time limit.
    ///
    /// - Parameter write: writes the rows. It may run twice, and must change nothing but the database.
    /// - Throws: ``CheckpointError/tooLarge(bytes:)``; what `write` throws, after which nothing is written;
    ///   `CancellationError` when the run no longer belongs to this worker, after which nothing is written and the task
    ///   is cancelled; an internal error when the worker was asked to stop, after the state was written. The handler
    ///   must not catch the last two.
    package func checkpoint(
        _ state: State, _ write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)? = nil
    ) async throws {
        let checkpoint = try rule.checkpoint(of: state)
        try await checkpoints.write { transaction, submissions in
            try write?(transaction, &submissions)
            return checkpoint
        }
    }

    /// Writes rows and the job's state in one transaction, with a state that is read from the rows.
    ///
    /// - Parameter write: writes the rows, and returns the state as it is after them. It may run twice, and must change
    ///   nothing but the database.
    package func checkpoint(
        _ write: @escaping @Sendable (WriteTransaction, inout JobSubmissions) throws -> State
    ) async throws {
        try await checkpoints.write { [rule] transaction, submissions in
            try rule.checkpoint(of: try write(transaction, &submissions))
        }
    }

    private var checkpoints: CheckpointAccess {
        guard let checkpoints = context.checkpoints else {
            preconditionFailure("A long job runs with its checkpoints.")
        }
        return checkpoints
    }
}

/// How a kind's states are encoded and decoded.
package struct StateRule<State: CheckpointState>: Sendable {
    /// The version of the states that are written, from 1.
    package let version: Int
    private let unreadable: @Sendable (JobCheckpoint) throws -> State?

    /// - Parameter unreadable: handles a state of another version, or one that cannot be decoded: it returns the
    ///   converted state, or `nil` to start over, or throws a ``JobFailure``.
    package init(
        version: Int = 1, unreadable: @escaping @Sendable (JobCheckpoint) throws -> State? = { _ in nil }
    ) {
        self.version = version
        self.unreadable = unreadable
    }

    func checkpoint(of state: State) throws -> JobCheckpoint {
        let json = try JSONCoding<State>.codable.encode(state)
        guard json.utf8.count <= JobCheckpoint.maximumBytes else {
            throw CheckpointError.tooLarge(bytes: json.utf8.count)
        }
        return JobCheckpoint(version: version, state: json, work: state.workDone)
    }

    func state(from kept: JobCheckpoint?) throws -> State? {
        guard let kept else { return nil }
        if kept.version == version, let state = try? JSONCoding<State>.codable.decode(kept.state) { return state }
        return try unreadable(kept)
    }
}

/// Why a state was not written. If a handler does not catch the error, its job fails permanently.
package enum CheckpointError: Error, Sendable, Equatable {
    /// The state's JSON is longer than ``JobCheckpoint/maximumBytes``.
    case tooLarge(bytes: Int)
}

/// Writes the rows of a checkpoint, and returns the checkpoint.
typealias CheckpointWrite = @Sendable (WriteTransaction, inout JobSubmissions) throws -> JobCheckpoint

/// A run's access to its job's checkpoints.
struct CheckpointAccess: Sendable {
    /// The last checkpoint of the earlier runs.
    let last: JobCheckpoint?
    let isEnding: @Sendable () -> Bool
    let write: @Sendable (@escaping CheckpointWrite) async throws -> Void
}

/// Ends a handler after a checkpoint because its worker stops. The job is handed back, and another worker continues.
struct WorkerStopping: Error {}
