import Contracts
import JobStorage
import Logging
import Model
import Storage
import Telemetry

/// Reads and writes the checkpoints of long jobs.
extension WorkerRuntime {
    /// Reads a job's last checkpoint, and sets the deadline for all its runs together.
    ///
    /// - Throws: ``JobFailure`` when that deadline has passed; `CancellationError` when the run no longer belongs to
    ///   this worker.
    func checkpoints(of job: AssignedJob, for kind: JobKind) async throws -> CheckpointAccess {
        // A first run has no checkpoint.
        let start = job.run.run == 1 ? .first : try await start(of: job)
        if let limit = kind.maximumTotalTime {
            let left = limit - start.ranFor
            guard left > .zero else { throw RunOutcome.outOfTime(limit) }
            load.withLock { $0.limit(job.run, finalDeadline: .now().advanced(by: left)) }
        }
        return CheckpointAccess(
            last: start.checkpoint,
            isEnding: { [weak self] in self?.load.withLock(\.isDraining) ?? true },
            write: { [weak self] write in
                guard let self else { throw CancellationError() }
                try await writeCheckpoint(write, of: job, for: kind)
            })
    }

    private func start(of job: AssignedJob) async throws -> RunStart {
        load.withLock { $0.beginWait(job.run, now: .now()) }
        defer { load.withLock { $0.endWait(job.run, now: .now()) } }
        let start = try await whenPossible(job) { [database] in
            try await database.read { try $0.jobs.start(of: job.run) }
        }
        // The job ended or was handed out again meanwhile.
        guard let start else {
            giveUp(job)
            throw CancellationError()
        }
        return start
    }

    private func writeCheckpoint(_ write: @escaping CheckpointWrite, of job: AssignedJob, for kind: JobKind)
        async throws
    {
        load.withLock { load in
            load.excludePause(longerThan: longestTick, now: .now())
            load.beginWait(job.run, now: .now())
        }
        defer { load.withLock { $0.endWait(job.run, now: .now()) } }
        let (kept, countedUntil, hasSubmitted) = try await whenPossible(job) { [self] in
            // Checked here because a task that the handler made is not cancelled when the run is taken away.
            guard let running = load.withLock({ $0.running[job.run] }) else { throw CancellationError() }
            let moment = running.waiting?.since ?? .now()
            let ranFor = max(.zero, running.countedUntil.duration(to: moment))
            return try await database.write(isPlain: true) { [settings] transaction in
                guard try transaction.jobs.beginCheckpoint(of: job.run, ranFor: ranFor) else { throw StaleRunError() }
                var submissions = JobSubmissions(maximumAttempts: settings.maximumAttempts, trace: job.trace)
                let checkpoint = try write(transaction, &submissions)
                let kept = try transaction.jobs.writeCheckpoint(checkpoint, of: job.run, now: .now())
                return (kept, moment, !submissions.isEmpty)
            }
        }
        let isEnding = load.withLock { load in
            load.recordCheckpoint(
                job.run, countedUntil: countedUntil, hasCleared: kept.hasCleared,
                deadline: kept.isProgress ? countedUntil.advanced(by: kind.maximumRunTime) : nil)
            return load.isDraining
        }
        if kept.hasCleared { send(.cleared([job.run])) }
        if hasSubmitted { send(.submitted) }
        if isEnding { throw WorkerStopping() }
    }

    /// Runs `body`, and repeats it while the database fails temporarily or because of a damaged page. Gives up a run
    /// that no longer belongs to this worker.
    private func whenPossible<Value: Sendable>(
        _ job: AssignedJob, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        while true {
            try Task.checkCancellation()
            do {
                return try await body()
            } catch is StaleRunError {
                giveUp(job)
                throw CancellationError()
            } catch let error as StorageError where !error.isOfTheWrite {
                logger.log(
                    level: .error, "a job's checkpoint cannot be read or written yet; retrying in a second",
                    metadata: ["job": "\(job.run.jobID)", "error": "\(error)"], throttle: outcomeThrottle)
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func giveUp(_ job: AssignedJob) {
        guard let abandoned = load.withLock({ $0.abandon(job.run) }) else { return }
        abandoned.task?.cancel()
        gaveUp(job, .handedBack)
        startWaiting()
    }
}
