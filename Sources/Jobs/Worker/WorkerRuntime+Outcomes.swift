import Contracts
import Logging
import Model
import Storage
import Telemetry

/// How runs end: written, counted, and told to the gateway.
extension WorkerRuntime {
    /// Writes how a run ended; repeats the write while the database cannot take it.
    func settle(_ job: HandedJob, _ conclusion: RunConclusion) {
        database.enqueueWrite(isPlain: conclusion.isPlain) { transaction in
            try conclusion.write(for: job, in: transaction)
        } completion: { [self] result in
            switch result {
            case .success(let settled):
                ended(job, conclusion, settled.ended.outcome)
                report(settled.ended)
                if settled.hasSubmitted { send(.submitted) }
            case .failure(is StaleRun):
                ended(job, conclusion, .stale)
                report(EndedRun(run: job.run, outcome: .stale))
            case .failure(StorageError.closed):
                // The process ends; the gateway puts the run back when it no longer hears of it.
                return
            case .failure(let error) where conclusion.hasResult && (error as? StorageError)?.isOfTheWrite != false:
                logger.error(
                    "an outcome could not be written",
                    metadata: ["job": "\(job.run.jobID)", "kind": "\(job.kind)", "error": "\(error)"])
                settle(job, RunConclusion.resultRefused(job))
            case .failure(let error):
                logger.log(
                    level: .error, "an outcome waits for the database",
                    metadata: ["job": "\(job.run.jobID)", "error": "\(error)"], throttle: outcomeThrottle)
                Task {
                    try? await Task.sleep(for: .seconds(1))
                    settle(job, conclusion)
                }
            }
        }
    }

    /// Counts and logs an outcome that is durable.
    private func ended(_ job: HandedJob, _ conclusion: RunConclusion, _ outcome: EndedRun.Outcome) {
        let outcome = JobMetrics.Outcome(conclusion, outcome)
        metrics.ended(kind: job.kind, outcome)
        guard logger.logLevel <= .debug || outcome != .succeeded else { return }
        LogContext.$current.withValue(LogContext(job)) { conclusion.log(as: outcome, to: logger) }
    }

    private func report(_ ended: EndedRun) {
        let isFirst = outbox.withLock { outbox in
            // Within the lock, so that whoever sends what is in the outbox finds it settled.
            load.withLock { $0.settled(ended.run) }
            outbox.append(ended)
            return outbox.count == 1
        }
        // The outcomes of one commit come in one after another and leave in one message.
        if isFirst { Task { flushOutbox() } }
    }

    private func flushOutbox() {
        let isIdle = outbox.withLock { outbox in
            // Sent within the lock, so that no goodbye overtakes it.
            if !outbox.isEmpty { send(.done(ended: outbox, credit: load.withLock { $0.credit })) }
            outbox = []
            return load.withLock(\.isEmpty)
        }
        if isIdle { resumeIdle() }
    }

    func resumeIdle() {
        idle.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?.resume()
    }
}

extension StorageError {
    /// Whether the write was refused for its own sake, and not because the database cannot be written at present.
    fileprivate var isOfTheWrite: Bool {
        // What was worked out must not be thrown away for a page that is damaged, either.
        if case .corrupt = self { return false }
        return !mayPass
    }
}
