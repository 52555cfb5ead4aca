import Contracts
import JobStorage
import Logging
import Model
import Storage

/// The run no longer belongs to this worker: none of its outcome is written.
struct StaleRunError: Error {}

/// Whether a person entered a credential for a provider, or consented to a connection, within a period. The domains
/// that store credentials implement it.
package typealias HasNewCredential =
    @Sendable (
        _ transaction: WriteTransaction, _ userID: String, _ provider: Provider, _ since: Timestamp,
        _ now: Timestamp
    ) throws -> Bool

/// How a run ended, and the transaction that writes it.
enum RunOutcome: Sendable {
    case succeeded(JobResult<String>)
    case failed(code: String, message: String, retryAt: Timestamp?)
    case postponed(until: Timestamp)
    /// - Parameter scopes: the scopes that the owner has to grant; empty when a credential is missing.
    case awaiting(Provider, scopes: [String] = [], until: Timestamp)
    case handedBack

    /// The conclusion for an error that a handler threw.
    ///
    /// - Parameter kind: the kind of the job.
    init(error: any Error, run: FinishingRun, kind: JobKind?, logger: Logger) {
        if error is WorkerStopping {
            self = .handedBack
            return
        }
        if case CheckpointError.tooLarge(let bytes) = error {
            self = .failed(
                code: "stateTooLarge",
                message: "The job's state is \(bytes) bytes long; at most \(JobCheckpoint.maximumBytes) are allowed.",
                retryAt: nil)
            return
        }
        guard let failure = error as? JobFailure ?? (error as? ProviderFailure).map(JobFailure.init) else {
            logger.error("a job failed unexpectedly", metadata: ["error": "\(error)"])
            self = .retrying(
                run, code: "internalError",
                message: "An unexpected error occurred; the worker's log has the details.", after: nil)
            return
        }
        switch failure.remedy {
        case .none: self = .failed(code: failure.code, message: failure.message, retryAt: nil)
        case .retry(let pause): self = .retrying(run, code: failure.code, message: failure.message, after: pause)
        case .postpone(let moment): self = .postponed(until: moment)
        case .awaitCredential(let provider):
            self = .awaiting(provider, until: Timestamp.now().advanced(by: Self.credentialInterval))
        case .awaitScopes(let named, let provider):
            let scopes = named.isEmpty ? kind?.scopes(at: provider) ?? [] : named
            self =
                scopes.isEmpty
                ? .failed(code: failure.code, message: failure.message, retryAt: nil)
                : .awaiting(provider, scopes: scopes, until: Timestamp.now().advanced(by: Self.credentialInterval))
        }
    }

    /// How often a waiting job runs to check whether its credential or scope is there.
    static let credentialInterval = Duration.seconds(900)

    static func timedOut(_ run: FinishingRun, limit: Duration) -> RunOutcome {
        let stretch = run.keepsState ? "It made no progress" : "It ran"
        return .retrying(
            run, code: "timedOut", message: "\(stretch) for longer than \(limit), the limit for its kind.", after: nil)
    }

    /// The failure of a job whose runs together took too long; another run would not help.
    static func outOfTime(_ limit: Duration) -> JobFailure {
        JobFailure(
            code: "timedOut", message: "All its runs together took longer than \(limit), the limit for its kind.",
            remedy: .none)
    }

    static func resultRefused(_ run: FinishingRun) -> RunOutcome {
        .retrying(
            run, code: "resultRefused",
            message: "The database refused the job's result. The worker's log has the reason.", after: nil)
    }

    private static func retrying(
        _ run: FinishingRun, code: String, message: String, after pause: Duration?
    ) -> RunOutcome {
        guard run.attempt < run.job.maximumAttempts else {
            return .failed(code: code, message: message, retryAt: nil)
        }
        var generator = SystemRandomNumberGenerator()
        let pause = pause ?? RetryBackoff.pause(afterAttempt: run.attempt, using: &generator)
        return .failed(code: code, message: message, retryAt: Timestamp.now().advanced(by: pause))
    }

    /// Whether it has a handler's result, which the database may refuse.
    var hasResult: Bool {
        if case .succeeded = self { return true }
        return false
    }

    struct WriteResult: Sendable {
        var ended: RunReport
        var hasSubmitted = false
    }

    /// - Parameter settings: apply to jobs that the result's rows submit.
    func write(
        for ending: FinishingRun, settings: JobSettings, hasNewCredential: HasNewCredential,
        in transaction: WriteTransaction
    ) throws -> WriteResult {
        let (job, run) = (ending.job, ending.job.run)
        let now = Timestamp.now()
        switch self {
        case .succeeded(let outcome):
            var submissions = JobSubmissions(maximumAttempts: settings.maximumAttempts, trace: job.trace)
            let isOurs = try transaction.jobs.succeed(
                run, userID: job.userID, kind: job.kind, result: outcome.result, now: now,
                keepsState: ending.keepsState
            ) {
                try outcome.write?(transaction, &submissions)
            }
            guard isOurs else { throw StaleRunError() }
            return WriteResult(ended: RunReport(run: run, outcome: .finished), hasSubmitted: !submissions.isEmpty)
        case .failed(let code, let message, let retryAt):
            guard
                try transaction.jobs.fail(
                    run, userID: job.userID, kind: job.kind, code: code, message: message, retryAt: retryAt,
                    ranFor: ending.ranFor, plannedAt: ending.endedAt, now: now)
            else { throw StaleRunError() }
            guard let retryAt else { return WriteResult(ended: RunReport(run: run, outcome: .finished)) }
            return WriteResult(ended: RunReport(run: run, outcome: .rescheduled, runAt: retryAt.microseconds))
        case .postponed(let moment):
            guard
                try transaction.jobs.postpone(
                    run, userID: job.userID, kind: job.kind, until: moment, ranFor: ending.ranFor,
                    plannedAt: ending.endedAt)
            else { throw StaleRunError() }
            return WriteResult(ended: RunReport(run: run, outcome: .rescheduled, runAt: moment.microseconds))
        case .awaiting(let provider, let scopes, var moment):
            var plannedAt = ending.endedAt
            // The job does not wait for a credential that was entered while it ran.
            if let start = try transaction.jobs.startTime(of: run),
                try hasNewCredential(transaction, job.userID, provider, start, now)
            {
                (moment, plannedAt) = (now, now)
            }
            guard
                try transaction.jobs.postpone(
                    run, userID: job.userID, kind: job.kind, until: moment, awaiting: provider.rawValue,
                    scopes: scopes, ranFor: ending.ranFor, plannedAt: plannedAt)
            else { throw StaleRunError() }
            return WriteResult(ended: RunReport(run: run, outcome: .rescheduled, runAt: moment.microseconds))
        case .handedBack:
            guard try transaction.jobs.release(run, afterCrash: false, ranFor: ending.ranFor) else {
                throw StaleRunError()
            }
            return WriteResult(ended: RunReport(run: run, outcome: .handedBack))
        }
    }
}
