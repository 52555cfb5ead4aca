import Contracts
import Logging
import Telemetry

extension RunOutcome {
    /// Logs how a run ended. The task's ``LogContext`` adds the job and its owner.
    func log(as outcome: JobMetrics.Outcome, ofRun run: Int64, to logger: Logger) {
        var metadata: Logger.Metadata = ["outcome": "\(outcome.rawValue)", "run": "\(run)"]
        switch self {
        case .failed(let code, let message, let retryAt):
            metadata["code"] = "\(code)"
            metadata["error"] = "\(message)"
            if let retryAt { metadata["retryAt"] = "\(retryAt)" }
        case .postponed(let until): metadata["until"] = "\(until)"
        case .awaiting(let provider, let scopes, _):
            metadata["awaits"] = "\(provider.rawValue)"
            if !scopes.isEmpty { metadata["scopes"] = "\(scopes.joined(separator: " "))" }
        case .succeeded, .handedBack: break
        }
        switch outcome {
        case .failed: logger.warning("a job failed for good", metadata: metadata)
        case .retried, .postponed: logger.info("a job will be retried later", metadata: metadata)
        case .stale: logger.info("a run no longer belongs to this worker; nothing was written", metadata: metadata)
        case .succeeded, .handedBack, .released, .poison: logger.debug("a run ended", metadata: metadata)
        }
    }
}

extension JobMetrics.Outcome {
    init(_ conclusion: RunOutcome, _ outcome: RunReport.Outcome) {
        if outcome == .stale {
            self = .stale
            return
        }
        switch conclusion {
        case .succeeded: self = .succeeded
        case .failed(_, _, let retryAt): self = retryAt == nil ? .failed : .retried
        case .postponed, .awaiting: self = .postponed
        case .handedBack: self = .handedBack
        }
    }
}

extension LogContext {
    init(_ job: AssignedJob) {
        self.init(
            trace: job.trace,
            job: Job(id: job.run.jobID, kind: job.kind, attempt: job.attempt, userID: job.userID))
    }
}
