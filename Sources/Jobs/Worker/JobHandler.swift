import Contracts
import JobStorage
import Model
import Storage

/// Runs jobs of one kind. Payloads are decoded and results encoded here, around the domain's function.
package struct JobHandler: Sendable {
    package let kind: JobKind
    /// The payload versions that it understands.
    package let versions: ClosedRange<Int>
    /// Whether its runs have checkpoints.
    let keepsState: Bool
    let run: @Sendable (JobContext) async throws -> JobResult<String>

    /// - Parameters:
    ///   - versions: the payload versions that `Payload` can decode; by default only the one that this program writes.
    ///   - run: the domain's function. A payload that cannot be decoded fails the job permanently, as `invalidPayload`.
    package init<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, versions: ClosedRange<Int>? = nil,
        run: @escaping @Sendable (Payload, JobContext) async throws -> JobResult<Result>
    ) {
        self.init(kind.kind, versions: versions) { context in
            let reply = try await run(try kind.payload(of: context.job), context)
            return try reply.encoded(as: kind)
        }
    }

    /// A handler of long jobs, whose runs continue at the last checkpoint (`docs/jobs.md`, "Long jobs").
    ///
    /// - Parameter rule: how states are encoded and decoded.
    package init<Payload, Result, State: CheckpointState>(
        _ kind: TypedJobKind<Payload, Result>, versions: ClosedRange<Int>? = nil, keeping rule: StateRule<State>,
        run: @escaping @Sendable (Payload, LongJobContext<State>) async throws -> JobResult<Result>
    ) {
        self.init(kind.kind, versions: versions, keeping: rule) { context in
            let reply = try await run(try kind.payload(of: context.job), context)
            return try reply.encoded(as: kind)
        }
    }

    /// A handler without types, for payloads and results as JSON text.
    init(
        _ kind: JobKind, versions: ClosedRange<Int>? = nil,
        run: @escaping @Sendable (JobContext) async throws -> JobResult<String>
    ) {
        self.kind = kind
        self.versions = versions ?? kind.version...kind.version
        keepsState = false
        self.run = run
    }

    /// A handler of long jobs without types, for payloads and results as JSON text.
    init<State: CheckpointState>(
        _ kind: JobKind, versions: ClosedRange<Int>? = nil, keeping rule: StateRule<State>,
        run: @escaping @Sendable (LongJobContext<State>) async throws -> JobResult<String>
    ) {
        self.kind = kind
        self.versions = versions ?? kind.version...kind.version
        keepsState = true
        self.run = { context in
            try await run(LongJobContext(context, state: try rule.state(from: context.checkpoints?.last), rule: rule))
        }
    }

    /// Whether the job's checkpoint or running time is read before a run.
    var isLong: Bool { keepsState || kind.maximumTotalTime != nil }
}

/// A job as its handler sees it.
package struct JobContext: Sendable {
    package let job: AssignedJob
    /// The person for whom the job is: its owner, or the person whom a system job serves. Upstream calls count toward
    /// that person's share.
    package var person: String { job.person }
    /// Reports progress to the gateway, which shows it to the job's owner.
    package let report: @Sendable (JobProgress) -> Void
    /// `nil` for kinds without checkpoints.
    var checkpoints: CheckpointAccess?
}

/// A handler's result: of its own type, or encoded as JSON for the job's row (`JobResult<String>`).
package struct JobResult<Result: Sendable>: Sendable {
    package var result: Result
    /// Writes the result's rows in the transaction that completes the job. It may run twice; if the run no longer
    /// belongs to this worker, its writes are rolled back.
    package var write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)?

    package init(
        _ result: Result, write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)? = nil
    ) {
        self.result = result
        self.write = write
    }
}

extension TypedJobKind {
    fileprivate func payload(of job: AssignedJob) throws -> Payload {
        do {
            return try payload(from: job.payload, version: job.version)
        } catch {
            throw JobFailure(code: "invalidPayload", message: "\(error)", remedy: .none)
        }
    }
}

extension JobResult {
    /// The reply with its result as JSON.
    fileprivate func encoded<Payload: Sendable>(as kind: TypedJobKind<Payload, Result>) throws -> JobResult<String> {
        do {
            return JobResult<String>(try kind.text(ofResult: result), write: write)
        } catch {
            throw JobFailure(code: "invalidResult", message: "\(error)", remedy: .none)
        }
    }
}

/// Why a job failed, and what may remedy it.
package struct JobFailure: Error, Sendable {
    package enum Remedy: Sendable {
        /// Nothing helps: the job becomes a dead letter.
        case none
        /// Another attempt, after the pause or, with `nil`, after a backoff.
        case retry(after: Duration?)
        /// Another run at the time that the upstream named. No attempt is used.
        case postpone(until: Timestamp)
        /// The owner has to enter a key or connect a service; the job waits for that. No attempt is used.
        case awaitCredential(Provider)
        /// The owner has to grant scopes; the job waits for that. No attempt is used. An empty list stands for the
        /// scopes that the kind needs. A job of a kind that needs none becomes a dead letter.
        case awaitScopes([String], at: Provider)
    }

    /// A stable code in camelCase.
    package var code: String
    /// A text for people, without secrets.
    package var message: String
    package var remedy: Remedy

    package init(code: String, message: String, remedy: Remedy) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
