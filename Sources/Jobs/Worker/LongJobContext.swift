import Contracts
import Model
import Storage

/// A job as the handler of a kind sees it whose runs keep where they stand.
package struct LongJobContext<State: Codable & Sendable>: Sendable {
    private let context: JobContext
    private let rule: StateRule<State>
    /// What the last run kept; `nil` for a job that kept nothing yet.
    package let state: State?

    init(_ context: JobContext, state: State?, rule: StateRule<State>) {
        self.context = context
        self.state = state
        self.rule = rule
    }

    package var job: HandedJob { context.job }

    /// As ``JobContext/person``.
    package var person: String { context.person }

    /// Tells those who watch how far it has come.
    package func report(_ progress: JobProgress) { context.report(progress) }

    /// Whether the worker was told to stop: the next checkpoint hands the job back.
    package var isEnding: Bool { context.place?.isEnding() ?? false }

    /// Makes rows and keeps where the job stands, in one transaction that is durable when this returns. It waits for
    /// as long as the database cannot take it for a reason that may pass.
    ///
    /// A state whose JSON differs from the last one's is progress: earlier failures and crashes are forgiven, and the
    /// kind's time limit begins anew. Values that are equal should therefore have the same JSON; a set has none.
    ///
    /// - Parameter write: may run twice; it must change nothing but the database.
    /// - Throws: ``CheckpointError/tooLarge(bytes:)``; what `write` throws, and then nothing is kept;
    ///   `CancellationError` when the run is not this worker's any more, nothing of it is kept, and the task is
    ///   cancelled; an error of the runtime, after the state was kept, when the worker was told to stop. The last
    ///   two have to leave the handler.
    package func checkpoint(
        _ state: State, _ write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)? = nil
    ) async throws {
        let checkpoint = try rule.checkpoint(of: state)
        guard let place = context.place else { preconditionFailure("A long job runs with a place.") }
        try await place.keep(checkpoint, write)
    }
}

/// How a kind's states are written and read.
package struct StateRule<State: Codable & Sendable>: Sendable {
    /// Of the form in which states are written, from 1.
    package let version: Int
    private let unreadable: @Sendable (JobCheckpoint) throws -> State?

    /// - Parameter unreadable: says what becomes of a state of another version, or one that is not of this form: it
    ///   gives the state, or `nil` to begin anew, or throws a ``JobFailure``.
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
        return JobCheckpoint(version: version, state: json)
    }

    func state(from kept: JobCheckpoint?) throws -> State? {
        guard let kept else { return nil }
        if kept.version == version, let state = try? JSONCoding<State>.codable.decode(kept.state) { return state }
        return try unreadable(kept)
    }
}

/// Why a state is not kept. A handler that lets it out fails for good.
package enum CheckpointError: Error, Sendable, Equatable {
    /// Its JSON has more than ``JobCheckpoint/maximumBytes``.
    case tooLarge(bytes: Int)
}

/// Where a run stands, for its handler.
struct RunPlace: Sendable {
    /// What the last run kept.
    let last: JobCheckpoint?
    let isEnding: @Sendable () -> Bool
    let keep:
        @Sendable (JobCheckpoint, (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)?) async throws
            -> Void
}

/// The state is kept and the worker stops: the job goes back, and another worker goes on with it.
struct HandOver: Error {}
