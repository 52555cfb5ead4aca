import Contracts
import Model
import Storage

/// What a worker does with one kind of job: call the domain, reply. Payloads are decoded and results encoded here.
package struct JobHandler: Sendable {
    package let kind: JobKind
    /// The versions of the payload it understands.
    package let versions: ClosedRange<Int>
    /// Whether its runs keep where they stand.
    let keepsState: Bool
    let run: @Sendable (JobContext) async throws -> JobOutcome

    /// - Parameters:
    ///   - versions: those of the payload that the type of today reads; by default only the one that is written.
    ///   - run: what is done with a payload. One that cannot be read fails the job for good, as `invalidPayload`.
    package init<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, versions: ClosedRange<Int>? = nil,
        run: @escaping @Sendable (Payload, JobContext) async throws -> JobReply<Result>
    ) {
        self.init(kind.kind, versions: versions) { context in
            let reply = try await run(try kind.payload(of: context.job), context)
            return try JobOutcome(reply, of: kind)
        }
    }

    /// A handler of long jobs, whose runs go on where the last one stood (`docs/jobs.md`, "Long jobs").
    ///
    /// - Parameter keeping: how their states are written and read.
    package init<Payload, Result, State>(
        _ kind: TypedJobKind<Payload, Result>, versions: ClosedRange<Int>? = nil, keeping rule: StateRule<State>,
        run: @escaping @Sendable (Payload, LongJobContext<State>) async throws -> JobReply<Result>
    ) {
        self.init(kind.kind, versions: versions, keeping: rule) { context in
            let reply = try await run(try kind.payload(of: context.job), context)
            return try JobOutcome(reply, of: kind)
        }
    }

    /// Without types: payload and result are the JSON that they are.
    init(
        _ kind: JobKind, versions: ClosedRange<Int>? = nil,
        run: @escaping @Sendable (JobContext) async throws -> JobOutcome
    ) {
        self.kind = kind
        self.versions = versions ?? kind.version...kind.version
        keepsState = false
        self.run = run
    }

    /// A handler of long jobs without types.
    init<State>(
        _ kind: JobKind, versions: ClosedRange<Int>? = nil, keeping rule: StateRule<State>,
        run: @escaping @Sendable (LongJobContext<State>) async throws -> JobOutcome
    ) {
        self.kind = kind
        self.versions = versions ?? kind.version...kind.version
        keepsState = true
        self.run = { context in
            try await run(LongJobContext(context, state: try rule.state(from: context.place?.last), rule: rule))
        }
    }

    /// Whether something has to be read before a run begins.
    var isLong: Bool { keepsState || kind.maximumTotalTime != nil }
}

/// A job as its handler sees it.
package struct JobContext: Sendable {
    package let job: HandedJob
    /// Whom the work is for: its user, or, of a job of the system, the person in whose place that does it. What it
    /// calls counts for them.
    package var person: String { job.person }
    /// Tells those who watch how far it has come.
    package let report: @Sendable (JobProgress) -> Void
    /// Of kinds that keep where they stand.
    var place: RunPlace?
}

/// What a handler answers when its job succeeded.
package struct JobReply<Result: Sendable>: Sendable {
    package var result: Result
    /// The rows that belong to the result, written in the transaction that completes the job. When
    /// the run is no longer this worker's, none of it stays. It may run twice.
    package var write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)?

    package init(
        _ result: Result, write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)? = nil
    ) {
        self.result = result
        self.write = write
    }
}

extension TypedJobKind {
    fileprivate func payload(of job: HandedJob) throws -> Payload {
        do {
            return try payload(from: job.payload, version: job.version)
        } catch {
            throw JobFailure(code: "invalidPayload", message: "\(error)", remedy: .none)
        }
    }
}

extension JobOutcome {
    fileprivate init<Payload, Result>(_ reply: JobReply<Result>, of kind: TypedJobKind<Payload, Result>) throws {
        do {
            self.init(result: try kind.text(ofResult: reply.result), write: reply.write)
        } catch {
            throw JobFailure(code: "invalidResult", message: "\(error)", remedy: .none)
        }
    }
}

/// How a job succeeded, as the engine keeps it.
struct JobOutcome: Sendable {
    /// JSON.
    var result: String
    /// See ``JobReply/write``.
    var write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)?
}

/// How a job failed, and what may mend it.
package struct JobFailure: Error, Sendable {
    package enum Remedy: Sendable {
        /// Trying again does not help: a dead letter.
        case none
        /// Another attempt after a backoff, or at the time the upstream named.
        case retry(after: Duration?)
        /// The upstream asked to stay away: it is put off, and no attempt is spent.
        case postpone(until: Timestamp)
        /// Its person has to enter a key, or connect a service, first: it waits for that, and no attempt is spent.
        case awaitCredential(CredentialProvider)
        /// Its person has to grant scopes first: it waits likewise. Where nobody says which, they are those that its
        /// kind needs; a kind that needs none fails, since there is nothing to ask for.
        case awaitScopes([String], at: CredentialProvider)
    }

    /// A stable code in camelCase.
    package var code: String
    /// For people; it holds no secret.
    package var message: String
    package var remedy: Remedy

    package init(code: String, message: String, remedy: Remedy) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
