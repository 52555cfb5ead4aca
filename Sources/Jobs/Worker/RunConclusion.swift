import Contracts
import Logging
import Model
import Storage

/// The run belongs to somebody else by now: nothing of it is kept.
struct StaleRun: Error {}

/// Whether a person entered a credential of a provider, or consented to a connection, from one moment to another.
/// Whoever keeps credentials knows.
package typealias HasNewCredential =
    @Sendable (
        _ transaction: WriteTransaction, _ userID: String, _ provider: CredentialProvider, _ since: Timestamp,
        _ now: Timestamp
    ) throws -> Bool

/// How a run ended, and the one transaction that says so.
enum RunConclusion: Sendable {
    case succeeded(JobOutcome)
    case failed(code: String, message: String, retryAt: Timestamp?)
    case postponed(until: Timestamp)
    /// - Parameter scopes: what its person has to grant; empty where it is the credential that is missing.
    case awaiting(CredentialProvider, scopes: [String] = [], until: Timestamp)
    case handedBack

    /// Sorts an error that a handler threw.
    init(error: any Error, run: EndingRun, logger: Logger) {
        if error is HandOver {
            self = .handedBack
            return
        }
        if case CheckpointError.tooLarge(let bytes) = error {
            self = .failed(
                code: "stateTooLarge",
                message: "Where it stands takes \(bytes) bytes; \(JobCheckpoint.maximumBytes) are allowed.",
                retryAt: nil)
            return
        }
        guard let failure = error as? JobFailure ?? (error as? ProviderFailure).map(JobFailure.init) else {
            logger.error("a job failed unexpectedly", metadata: ["error": "\(error)"])
            self = .retrying(
                run, code: "internalError",
                message: "The worker met an error it did not expect; its log says more.", after: nil)
            return
        }
        switch failure.remedy {
        case .none: self = .failed(code: failure.code, message: failure.message, retryAt: nil)
        case .retry(let pause): self = .retrying(run, code: failure.code, message: failure.message, after: pause)
        case .postpone(let moment): self = .postponed(until: moment)
        case .awaitCredential(let provider):
            self = .awaiting(provider, until: Timestamp.now().advanced(by: Self.credentialInterval))
        case .awaitScopes(let named, let provider):
            let scopes = named.isEmpty ? JobKind.named(run.job.kind)?.scopes(at: provider) ?? [] : named
            self =
                scopes.isEmpty
                ? .failed(code: failure.code, message: failure.message, retryAt: nil)
                : .awaiting(provider, scopes: scopes, until: Timestamp.now().advanced(by: Self.credentialInterval))
        }
    }

    /// How often a job looks by itself whether the credential or scope that it waits for is there.
    static let credentialInterval = Duration.seconds(900)

    static func timedOut(_ run: EndingRun, limit: Duration) -> RunConclusion {
        let stretch = run.keepsState ? "It made no progress" : "It ran"
        return .retrying(
            run, code: "timedOut", message: "\(stretch) for longer than \(limit), the most for its kind.", after: nil)
    }

    /// All its runs together took too long, which another one would not mend.
    static func outOfTime(_ limit: Duration) -> JobFailure {
        JobFailure(
            code: "timedOut", message: "All its runs together took longer than \(limit), the most for its kind.",
            remedy: .none)
    }

    static func resultRefused(_ run: EndingRun) -> RunConclusion {
        .retrying(run, code: "resultRefused", message: "The database refused the job's result.", after: nil)
    }

    private static func retrying(
        _ run: EndingRun, code: String, message: String, after pause: Duration?
    ) -> RunConclusion {
        guard run.attempt < run.job.maximumAttempts else {
            return .failed(code: code, message: message, retryAt: nil)
        }
        var generator = SystemRandomNumberGenerator()
        let pause = pause ?? RetryBackoff.pause(afterAttempt: run.attempt, using: &generator)
        return .failed(code: code, message: message, retryAt: Timestamp.now().advanced(by: pause))
    }

    /// Whether it carries what a handler made, which the database may refuse for its own sake.
    var hasResult: Bool {
        if case .succeeded = self { return true }
        return false
    }

    struct Settled: Sendable {
        var ended: EndedRun
        var hasSubmitted = false
    }

    /// - Parameter settings: go for the jobs that its result submits.
    func write(
        for ending: EndingRun, settings: JobSettings, hasNewCredential: HasNewCredential,
        in transaction: WriteTransaction
    ) throws -> Settled {
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
            guard isOurs else { throw StaleRun() }
            return Settled(ended: EndedRun(run: run, outcome: .finished), hasSubmitted: !submissions.isEmpty)
        case .failed(let code, let message, let retryAt):
            guard
                try transaction.jobs.fail(
                    run, userID: job.userID, kind: job.kind, code: code, message: message, retryAt: retryAt,
                    ranFor: ending.ranFor, now: now)
            else { throw StaleRun() }
            guard let retryAt else { return Settled(ended: EndedRun(run: run, outcome: .finished)) }
            return Settled(ended: EndedRun(run: run, outcome: .rescheduled, runAt: retryAt.microseconds))
        case .postponed(let moment):
            guard
                try transaction.jobs.postpone(
                    run, userID: job.userID, kind: job.kind, until: moment, ranFor: ending.ranFor)
            else { throw StaleRun() }
            return Settled(ended: EndedRun(run: run, outcome: .rescheduled, runAt: moment.microseconds))
        case .awaiting(let provider, let scopes, var moment):
            // What was entered while it ran is not waited for.
            if let start = try transaction.jobs.startTime(of: run),
                try hasNewCredential(transaction, job.userID, provider, start, now)
            {
                moment = now
            }
            guard
                try transaction.jobs.postpone(
                    run, userID: job.userID, kind: job.kind, until: moment, awaiting: provider.rawValue,
                    scopes: scopes, ranFor: ending.ranFor)
            else { throw StaleRun() }
            return Settled(ended: EndedRun(run: run, outcome: .rescheduled, runAt: moment.microseconds))
        case .handedBack:
            guard try transaction.jobs.release(run, afterCrash: false, ranFor: ending.ranFor) else { throw StaleRun() }
            return Settled(ended: EndedRun(run: run, outcome: .handedBack))
        }
    }
}
