import Contracts
import Model
import Storage

/// What a worker does with one kind of job: decode, call the domain, reply.
package struct JobHandler: Sendable {
    package let kind: JobKind
    /// The versions of the payload it understands.
    package let versions: ClosedRange<Int>
    let run: @Sendable (JobContext) async throws -> JobOutcome

    package init(
        _ kind: JobKind, versions: ClosedRange<Int>? = nil,
        run: @escaping @Sendable (JobContext) async throws -> JobOutcome
    ) {
        self.kind = kind
        self.versions = versions ?? kind.version...kind.version
        self.run = run
    }
}

/// A job as its handler sees it.
package struct JobContext: Sendable {
    package let job: HandedJob
    /// Tells those who watch how far it has come.
    package let report: @Sendable (_ done: Int, _ total: Int) -> Void
}

/// How a job succeeded.
package struct JobOutcome: Sendable {
    /// JSON.
    package var result: String
    /// The rows that belong to the result, written in the transaction that completes the job. When
    /// the run is no longer this worker's, none of it stays. It may run twice.
    package var write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)?

    package init(
        result: String, write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)? = nil
    ) {
        self.result = result
        self.write = write
    }
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
