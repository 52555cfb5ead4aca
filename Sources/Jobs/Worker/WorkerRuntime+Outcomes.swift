import Contracts
import JobStorage
import Logging
import Model
import Storage
import Telemetry

/// Writes and counts the outcomes of runs, and reports them to the gateway.
extension WorkerRuntime {
    /// Writes how a run ended, and repeats the write while the database cannot accept it.
    func writeOutcome(_ run: FinishingRun, _ conclusion: RunOutcome) {
        if case .succeeded(let outcome) = conclusion, outcome.write == nil, !run.keepsState {
            writeOutcome(SuccessBatch.Success(run: run, result: outcome.result))
        } else {
            writeOutcomeAlone(run, conclusion)
        }
    }

    private func writeOutcome(_ success: SuccessBatch.Success) {
        let opened = openBatch.withLock { open -> SuccessBatch? in
            if let batch = open, batch.add(success) { return nil }
            let batch = SuccessBatch(success)
            open = batch
            return batch
        }
        guard let batch = opened else { return }
        database.enqueueWrite(isPlain: true) { transaction in
            try batch.write(in: transaction)
        } completion: { [self] result in
            switch result {
            case .success(let ended):
                for (success, end) in zip(batch.seal(), ended) {
                    self.ended(success.run.job, .succeeded(JobResult(success.result)), end.outcome)
                }
                report(ended)
            case .failure(StorageError.closed):
                // The process is exiting. The gateway releases the runs when heartbeats no longer name them.
                return
            case .failure(let error):
                // Each is written alone, since one of them may have failed the others.
                for success in batch.seal() {
                    failed(success.run, .succeeded(JobResult(success.result)), by: error, wasAlone: false)
                }
            }
        }
    }

    private func writeOutcomeAlone(_ run: FinishingRun, _ conclusion: RunOutcome) {
        database.enqueueWrite { [settings, hasNewCredential] transaction in
            try conclusion.write(
                for: run, settings: settings, hasNewCredential: hasNewCredential, in: transaction)
        } completion: { [self] result in
            switch result {
            case .success(let written):
                ended(run.job, conclusion, written.ended.outcome)
                report([written.ended])
                if written.hasSubmitted { send(.submitted) }
            case .failure(is StaleRunError):
                gaveUp(run.job, conclusion)
            case .failure(StorageError.closed):
                return
            case .failure(let error):
                failed(run, conclusion, by: error, wasAlone: true)
            }
        }
    }

    /// Handles an outcome that could not be written. Only a write of a single outcome shows whether the outcome itself
    /// was refused.
    private func failed(_ run: FinishingRun, _ conclusion: RunOutcome, by error: any Error, wasAlone: Bool) {
        let job = run.job
        let mayPass = (error as? StorageError)?.mayPass == true
        if !wasAlone, !mayPass {
            writeOutcomeAlone(run, conclusion)
        } else if conclusion.hasResult, (error as? StorageError)?.isOfTheWrite != false {
            logger.error(
                "the database refused a job's result, so the attempt failed",
                metadata: ["job": "\(job.run.jobID)", "kind": "\(job.kind)", "error": "\(error)"])
            writeOutcome(run, RunOutcome.resultRefused(run))
        } else if case StorageError.outOfMemory = error, run.memoryRefusals >= Self.mostMemoryRefusals {
            logger.critical(
                "a job's outcome needs more memory than this process may use, so the process exits",
                metadata: ["job": "\(job.run.jobID)", "kind": "\(job.kind)", "error": "\(error)"])
            onMemoryExhausted()
        } else {
            var run = run
            if case StorageError.outOfMemory = error { run.memoryRefusals += 1 } else { run.memoryRefusals = 0 }
            logger.log(
                level: .error, "an outcome cannot be written yet; retrying in a second",
                metadata: ["job": "\(job.run.jobID)", "error": "\(error)"], throttle: outcomeThrottle)
            if !mayPass, load.withLock({ $0.foundUnwritable(job.run) }) { announceCredit() }
            Task { [run] in
                try? await Task.sleep(for: .seconds(1))
                // Other outcomes must not fail along with it because of a page that stays damaged or because of the
                // memory that it needs.
                if mayPass, run.memoryRefusals == 0 {
                    writeOutcome(run, conclusion)
                } else {
                    writeOutcomeAlone(run, conclusion)
                }
            }
        }
    }

    /// How many times in a row an outcome is written again, a second apart, while the process has too little memory.
    /// Then the process exits, so that its jobs run elsewhere: the outcome itself may be what uses the memory.
    private static let mostMemoryRefusals = 5

    /// Hands back jobs that have not started, many in one write.
    func handBack(_ jobs: [AssignedJob]) {
        for start in stride(from: 0, to: jobs.count, by: 500) {
            let part = jobs[start..<min(start + 500, jobs.count)]
            database.enqueueWrite { transaction in
                try part.map { try transaction.jobs.release($0.run, afterCrash: false) }
            } completion: { [self] result in
                switch result {
                case .success(let released):
                    let ends = zip(part, released).map { job, isReleased in
                        RunReport(run: job.run, outcome: isReleased ? .handedBack : .stale)
                    }
                    for (job, end) in zip(part, ends) { ended(job, .handedBack, end.outcome) }
                    report(ends)
                case .failure:
                    // Repeated one by one until the database accepts them.
                    for job in part { writeOutcome(FinishingRun(unbegun: job), .handedBack) }
                }
            }
        }
    }

    /// Counts and logs a durable outcome.
    private func ended(_ job: AssignedJob, _ conclusion: RunOutcome, _ outcome: RunReport.Outcome) {
        let outcome = JobMetrics.Outcome(conclusion, outcome)
        metrics.ended(kind: job.kind, outcome)
        guard logger.logLevel <= .debug || outcome != .succeeded else { return }
        LogContext.$current.withValue(LogContext(job)) { conclusion.log(as: outcome, ofRun: job.run.run, to: logger) }
    }

    /// Reports a run that turned out to belong to this worker no longer, or whose job is gone. None of its outcome was
    /// written.
    func gaveUp(_ job: AssignedJob, _ conclusion: RunOutcome) {
        ended(job, conclusion, .stale)
        report([RunReport(run: job.run, outcome: .stale)])
    }

    private func report(_ ended: [RunReport]) {
        let isFirst = outbox.withLock { outbox in
            // Within the lock, so that the runs of an outbox that is sent are already removed.
            load.withLock { load in
                for end in ended { load.removeFinishing(end.run) }
            }
            defer { outbox += ended }
            return outbox.isEmpty
        }
        // The outcomes of one commit arrive one by one and leave in one message.
        if isFirst { Task { flushOutbox() } }
    }

    private func flushOutbox() {
        let isIdle = outbox.withLock { outbox in
            // Sent within the lock, so that no goodbye overtakes the message.
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
    /// Whether the write itself was refused, rather than any write failing at present.
    var isOfTheWrite: Bool {
        // A result must not be discarded because of a damaged page either.
        if case .corrupt = self { return false }
        return !mayPass
    }
}
