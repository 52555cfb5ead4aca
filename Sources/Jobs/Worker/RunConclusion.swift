import Contracts
import Logging
import Model
import Storage

/// The run belongs to somebody else by now: nothing of it is kept.
struct StaleRun: Error {}

/// How a run ended, and the one transaction that says so.
enum RunConclusion: Sendable {
    case succeeded(JobOutcome)
    case failed(code: String, message: String, retryAt: Timestamp?)
    case postponed(until: Timestamp)
    case awaiting(CredentialProvider, until: Timestamp)
    case handedBack

    /// Sorts an error that a handler threw.
    init(error: any Error, job: HandedJob, logger: Logger) {
        guard let failure = error as? JobFailure else {
            logger.error("a job failed unexpectedly", metadata: ["error": "\(error)"])
            self = .retrying(
                job, code: "internalError",
                message: "The worker met an error it did not expect; its log says more.", after: nil)
            return
        }
        switch failure.remedy {
        case .none: self = .failed(code: failure.code, message: failure.message, retryAt: nil)
        case .retry(let pause): self = .retrying(job, code: failure.code, message: failure.message, after: pause)
        case .postpone(let moment): self = .postponed(until: moment)
        case .awaitCredential(let provider):
            self = .awaiting(provider, until: Timestamp.now().advanced(by: Self.credentialInterval))
        }
    }

    /// How often a job looks by itself whether the credential that it waits for is there.
    static let credentialInterval = Duration.seconds(900)

    static func timedOut(_ job: HandedJob, limit: Duration) -> RunConclusion {
        .retrying(
            job, code: "timedOut", message: "It ran for longer than \(limit), the most for its kind.", after: nil)
    }

    static func resultRefused(_ job: HandedJob) -> RunConclusion {
        .retrying(job, code: "resultRefused", message: "The database refused the job's result.", after: nil)
    }

    private static func retrying(
        _ job: HandedJob, code: String, message: String, after pause: Duration?
    ) -> RunConclusion {
        guard job.attempt < job.maximumAttempts else {
            return .failed(code: code, message: message, retryAt: nil)
        }
        var generator = SystemRandomNumberGenerator()
        let pause = pause ?? RetryBackoff.pause(afterAttempt: job.attempt, using: &generator)
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
    func write(for job: HandedJob, settings: JobSettings, in transaction: WriteTransaction) throws -> Settled {
        let run = job.run
        let now = Timestamp.now()
        switch self {
        case .succeeded(let outcome):
            guard
                try transaction.succeed(run, userID: job.userID, kind: job.kind, result: outcome.result, now: now)
            else { throw StaleRun() }
            var submissions = JobSubmissions(maximumAttempts: settings.maximumAttempts, trace: job.trace)
            try outcome.write?(transaction, &submissions)
            return Settled(ended: EndedRun(run: run, outcome: .finished), hasSubmitted: !submissions.isEmpty)
        case .failed(let code, let message, let retryAt):
            guard
                try transaction.fail(
                    run, userID: job.userID, kind: job.kind, code: code, message: message, retryAt: retryAt, now: now)
            else { throw StaleRun() }
            guard let retryAt else { return Settled(ended: EndedRun(run: run, outcome: .finished)) }
            return Settled(ended: EndedRun(run: run, outcome: .rescheduled, runAt: retryAt.microseconds))
        case .postponed(let moment):
            guard try transaction.postpone(run, userID: job.userID, kind: job.kind, until: moment) else {
                throw StaleRun()
            }
            return Settled(ended: EndedRun(run: run, outcome: .rescheduled, runAt: moment.microseconds))
        case .awaiting(let provider, var moment):
            // What was entered while it ran is not waited for.
            if try transaction.hasNewCredential(ofProvider: provider.rawValue, sinceStartOf: run, now: now) {
                moment = now
            }
            guard
                try transaction.postpone(
                    run, userID: job.userID, kind: job.kind, until: moment, awaiting: provider.rawValue)
            else { throw StaleRun() }
            return Settled(ended: EndedRun(run: run, outcome: .rescheduled, runAt: moment.microseconds))
        case .handedBack:
            guard try transaction.release(run, afterCrash: false) else { throw StaleRun() }
            return Settled(ended: EndedRun(run: run, outcome: .handedBack))
        }
    }
}
