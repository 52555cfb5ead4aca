import Contracts
import Logging
import Model
import Storage
import Telemetry

/// How long jobs keep where they stand.
extension WorkerRuntime {
    /// Reads where a job stands, and bounds its run by what all its runs together may take.
    ///
    /// - Throws: ``JobFailure`` when they have taken that already; `CancellationError`.
    func place(of job: HandedJob, for kind: JobKind) async throws -> RunPlace {
        // What never ran stands nowhere.
        let start = job.run.run == 1 ? .first : try await start(of: job)
        if let limit = kind.maximumTotalTime {
            let left = limit - start.ranFor
            guard left > .zero else { throw RunConclusion.outOfTime(limit) }
            load.withLock { $0.limit(job.run, finalDeadline: .now().advanced(by: left)) }
        }
        return RunPlace(
            last: start.checkpoint,
            isEnding: { [weak self] in self?.load.withLock(\.isDraining) ?? true },
            keep: { [weak self] checkpoint, write in
                guard let self else { throw CancellationError() }
                try await keep(checkpoint, of: job, for: kind, write)
            })
    }

    private func start(of job: HandedJob) async throws -> RunStart {
        load.withLock { $0.beginWait(job.run, now: .now()) }
        defer { load.withLock { $0.endWait(job.run, now: .now()) } }
        let start = try await whenPossible(job) { [database] in
            try await database.read { try $0.jobs.start(of: job.run) }
        }
        // It ended or was handed out again meanwhile.
        guard let start else {
            giveUp(job)
            throw CancellationError()
        }
        return start
    }

    private func keep(
        _ checkpoint: JobCheckpoint, of job: HandedJob, for kind: JobKind,
        _ write: (@Sendable (WriteTransaction, inout JobSubmissions) throws -> Void)?
    ) async throws {
        load.withLock { $0.beginWait(job.run, now: .now()) }
        defer { load.withLock { $0.endWait(job.run, now: .now()) } }
        let (kept, countedUntil, hasSubmitted) = try await whenPossible(job) { [self] in
            // Its own word: a task that a handler made does not hear that the run was taken away.
            guard let running = load.withLock({ $0.running[job.run] }) else { throw CancellationError() }
            let moment = running.waiting?.since ?? .now()
            let ranFor = max(.zero, running.countedUntil.duration(to: moment))
            return try await database.write { [settings] transaction in
                guard let kept = try transaction.jobs.keep(checkpoint, of: job.run, ranFor: ranFor, now: .now()) else {
                    throw StaleRun()
                }
                var submissions = JobSubmissions(maximumAttempts: settings.maximumAttempts, trace: job.trace)
                try write?(transaction, &submissions)
                return (kept, moment, !submissions.isEmpty)
            }
        }
        let isEnding = load.withLock { load in
            load.kept(
                job.run, countedUntil: countedUntil, hasCleared: kept.hasCleared,
                deadline: kept.isProgress ? countedUntil.advanced(by: kind.maximumRunTime) : nil)
            return load.isDraining
        }
        if kept.hasCleared { send(.cleared([job.run])) }
        if hasSubmitted { send(.submitted) }
        if isEnding { throw HandOver() }
    }

    /// Repeats what the database cannot do for a reason that may pass, or since a page is damaged, as outcomes are
    /// repeated; a run that is somebody else's by now is given up.
    private func whenPossible<Value: Sendable>(
        _ job: HandedJob, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        while true {
            try Task.checkCancellation()
            do {
                return try await body()
            } catch is StaleRun {
                giveUp(job)
                throw CancellationError()
            } catch let error as StorageError where !error.isOfTheWrite {
                logger.log(
                    level: .error, "a job's state waits for the database",
                    metadata: ["job": "\(job.run.jobID)", "error": "\(error)"], throttle: outcomeThrottle)
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func giveUp(_ job: HandedJob) {
        guard let abandoned = load.withLock({ $0.abandon(job.run) }) else { return }
        abandoned.task?.cancel()
        gaveUp(job, .handedBack)
        startWaiting()
    }
}
