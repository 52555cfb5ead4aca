import Model
import Storage

private let recordSuccess = ConstantSQL(
    """
    UPDATE jobs SET state = 'succeeded', result = ?, finished_at = ?, error_code = NULL, error_message = NULL,
        lease_expires_at = NULL, is_suspect = 0, change = ?
    WHERE id = ? AND run = ? AND state = 'running'
    """)

/// The state changes of jobs, which `docs/jobs.md` draws. Each is a fenced statement: it changes the row only if the
/// row is in the state that the caller expects, and returns whether it did.
extension JobStore where Access == WriteTransaction {
    // MARK: Ending a run

    /// Completes a run.
    ///
    /// - Parameters:
    ///   - keepsState: whether jobs of the kind have checkpoints, which are deleted.
    ///   - rows: writes the rows of the result; called only if the run was under way, before the rows of the job's end
    ///     are written.
    package func succeed(
        _ run: JobRun, userID: String, kind: String, result: String, now: Timestamp, keepsState: Bool = false,
        rows: (() throws -> Void)? = nil
    ) throws -> Bool {
        let changed = try transaction.execute(
            recordSuccess,
            [
                result.sqlValue, now.sqlValue, try transaction.nextChange().sqlValue, run.jobID.sqlValue,
                run.run.sqlValue,
            ])
        guard changed == 1 else { return false }
        moved(userID, kind, from: .running, to: .succeeded)
        try submissionEnded(run.jobID, userID: userID)
        try rows?()
        if keepsState { try dropCheckpoint(ofJob: run.jobID) }
        try ended(run.jobID, userID: userID, kind: kind, as: .succeeded, now: now)
        return true
    }

    /// Ends a run with an error: as a dead letter or, with `retryAt`, with another attempt at that time. Its checkpoint
    /// remains, so that the next attempt or a requeued dead letter continues there.
    ///
    /// - Parameters:
    ///   - ranFor: the running time that was not counted before.
    ///   - plannedAt: the moment from which `retryAt` was counted, if that is not `now`.
    package func fail(
        _ run: JobRun, userID: String, kind: String, code: String, message: String, retryAt: Timestamp?,
        ranFor: Duration = .zero, plannedAt: Timestamp? = nil, now: Timestamp
    ) throws -> Bool {
        let state: JobState = retryAt == nil ? .failed : .scheduled
        try recordAttempt(run, code: code, message: message, now: now)
        let changed = try transaction.execute(
            """
            UPDATE jobs SET state = \(state), error_code = \(code), error_message = \(message),
                run_at = COALESCE(\(retryAt), run_at), planned_at = \(retryAt == nil ? nil : plannedAt ?? now),
                finished_at = \(retryAt == nil ? now : nil),
                lease_expires_at = NULL, is_suspect = 0, ran_for = ran_for + \(ranFor.microseconds),
                change = \(try transaction.nextChange())
            WHERE id = \(run.jobID) AND run = \(run.run) AND state = 'running'
            """)
        guard changed == 1 else { return false }
        moved(userID, kind, from: .running, to: state)
        if retryAt == nil {
            try submissionEnded(run.jobID, userID: userID)
            try ended(run.jobID, userID: userID, kind: kind, as: .failed(code: code), now: now)
        }
        return true
    }

    /// The weight of workers' deaths against a job; 0 if there is no job with that id.
    package func crashes(ofJob id: String) throws -> Int {
        try transaction.row("SELECT crashes FROM jobs WHERE id = \(id)")?["crashes"] ?? 0
    }

    /// How often workers died while they held a job, over its whole life; 0 if there is no job with that id.
    package func deaths(ofJob id: String) throws -> Int {
        try transaction.row("SELECT deaths FROM jobs WHERE id = \(id)")?["deaths"] ?? 0
    }

    /// Queues a running job again without counting an attempt.
    ///
    /// - Parameters:
    ///   - afterCrash: whether its worker died.
    ///   - crashWeight: the weight of that death against the job. A death with a weight is recorded among the attempts,
    ///     so that a job set aside as poison shows what led to it.
    ///   - crashGroup: the crash group that makes the job a suspect; `nil` leaves the group as it was.
    ///   - isOutage: whether the gateway went down with its worker.
    ///   - ranFor: the running time that was not counted before, if the worker is alive and knows it.
    package func release(
        _ run: JobRun, afterCrash: Bool, crashWeight: Int = 0, crashGroup: String? = nil, isOutage: Bool = false,
        ranFor: Duration = .zero, now: Timestamp = .now()
    ) throws -> Bool {
        if crashWeight > 0 {
            try recordAttempt(
                run, code: "workerDied", message: "Its worker died while this job ran alone on it.", now: now)
        }
        guard
            let row = try transaction.row(
                """
                UPDATE jobs SET state = 'queued', attempt = attempt - 1, worker = NULL, lease_expires_at = NULL,
                    is_suspect = CASE WHEN \(crashGroup != nil) = 1 THEN 1 ELSE is_suspect END,
                    crash_group = COALESCE(\(crashGroup), crash_group),
                    outage_at = COALESCE(\(isOutage ? now : nil), outage_at),
                    crashes = crashes + \(crashWeight), deaths = deaths + \(afterCrash ? 1 : 0),
                    ran_for = ran_for + \(ranFor.microseconds), change = \(try transaction.nextChange())
                WHERE id = \(run.jobID) AND run = \(run.run) AND state = 'running' RETURNING user_id, kind
                """)
        else { return false }
        moved(try row["user_id"], try row["kind"], from: .running, to: .queued)
        return true
    }

    /// Records the failure of a run that is under way.
    private func recordAttempt(_ run: JobRun, code: String, message: String, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO job_attempts
                (job_id, run, attempt, worker, started_at, finished_at, error_code, error_message)
            SELECT id, run, attempt, worker, started_at, \(now), \(code), \(message)
            FROM jobs WHERE id = \(run.jobID) AND run = \(run.run) AND state = 'running'
            """)
    }

    /// Postpones a job without counting an attempt: its upstream named a time, or its owner has to enter a credential
    /// or grant scopes. The job is not a suspect afterwards, since its run ended by itself.
    ///
    /// - Parameters:
    ///   - provider: the provider whose credential or scopes it waits for; see ``resumeJobs(userID:awaiting:now:)``.
    ///   - scopes: the scopes that the owner has to grant; empty if a credential is missing.
    ///   - ranFor: the running time that was not counted before.
    ///   - plannedAt: the moment at which `until` was determined, by the same clock.
    package func postpone(
        _ run: JobRun, userID: String, kind: String, until: Timestamp, awaiting provider: String? = nil,
        scopes: [String] = [], ranFor: Duration = .zero, plannedAt: Timestamp = .now()
    ) throws -> Bool {
        let awaitedScopes = scopes.isEmpty ? nil : scopes.joined(separator: " ")
        let changed = try transaction.execute(
            """
            UPDATE jobs SET state = 'scheduled', attempt = attempt - 1, worker = NULL, lease_expires_at = NULL,
                run_at = \(until), planned_at = \(plannedAt), awaits = \(provider), awaited_scopes = \(awaitedScopes),
                is_suspect = 0, crash_group = NULL, ran_for = ran_for + \(ranFor.microseconds),
                change = \(try transaction.nextChange())
            WHERE id = \(run.jobID) AND run = \(run.run) AND state = 'running'
            """)
        if changed == 1 { moved(userID, kind, from: .running, to: .scheduled) }
        return changed == 1
    }

    // MARK: By request

    /// Cancels an unfinished job. The outcome of a run that is under way is refused afterwards.
    ///
    /// - Parameter ending: the ending for the job's domain: `cancelled`, or `erased` when its owner is being erased.
    /// - Returns: the job with the worker to stop; `nil` if the user has no unfinished job with that id.
    package func cancel(
        jobID: String, userID: String, as ending: FinalState = .cancelled, now: Timestamp
    ) throws -> CancelledJob? {
        guard
            let before = try transaction.row(
                """
                SELECT kind, state, run, worker, submitted_bytes FROM jobs WHERE id = \(jobID) AND user_id = \(userID)
                """)
        else { return nil }
        let state: JobState = try before["state"]
        guard !state.isFinished else { return nil }
        try transaction.run(
            """
            UPDATE jobs SET state = 'cancelled', finished_at = \(now), lease_expires_at = NULL, is_suspect = 0,
                awaits = NULL, awaited_scopes = NULL,
                change = \(try transaction.nextChange())
            WHERE id = \(jobID)
            """)
        let (kind, run): (String, Int64) = (try before["kind"], try before["run"])
        moved(userID, kind, from: state, to: .cancelled)
        submissionEnded(bytes: try before["submitted_bytes"], userID: userID)
        // A job that never ran has no checkpoint.
        if run > 0 { try dropCheckpoint(ofJob: jobID) }
        try ended(jobID, userID: userID, kind: kind, as: ending, now: now)
        return CancelledJob(
            run: JobRun(jobID: jobID, run: run), worker: state == .running ? try before["worker"] : nil)
    }

    /// Queues a dead letter again with its full number of attempts and running time. It continues at its last
    /// checkpoint, and the rows of its end are undone.
    ///
    /// - Parameter now: the time from which its wait counts; its time as a dead letter gives it no precedence.
    /// - Returns: `false` if the job is not a dead letter.
    /// - Throws: ``JobNotRequeueable`` when the rows of its end cannot be undone.
    package func requeue(jobID: String, userID: String, now: Timestamp) throws -> Bool {
        try undoHook(ofDeadLetter: jobID, userID: userID)
        let requeued = try transaction.row(
            """
            UPDATE jobs SET state = 'queued', attempt = 0, crashes = 0, is_suspect = 0, deaths = 0, ran_for = 0,
                worker = NULL, error_code = NULL, error_message = NULL, run_at = \(now), finished_at = NULL,
                started_at = NULL, change = \(try transaction.nextChange())
            WHERE id = \(jobID) AND user_id = \(userID) AND state = 'failed' RETURNING kind, submitted_bytes
            """)
        guard let requeued else { return false }
        moved(userID, try requeued["kind"], from: .failed, to: .queued)
        submissionBegan(bytes: try requeued["submitted_bytes"], userID: userID)
        return true
    }

    /// The unfinished job that has taken the unique key of a dead letter, which therefore cannot be requeued at
    /// present.
    package func successor(ofDeadLetter jobID: String, userID: String) throws -> String? {
        try transaction.row(
            """
            SELECT other.id FROM jobs AS dead JOIN jobs AS other
                ON other.user_id = dead.user_id AND other.unique_key = dead.unique_key
            WHERE dead.id = \(jobID) AND dead.user_id = \(userID) AND dead.state = 'failed'
                AND other.finished_at IS NULL
            """
        ).map { try $0["id"] }
    }

    func moved(_ userID: String, _ kind: String, from: JobState, to: JobState) {
        transaction.moved(.init(userID: userID, kind: kind, from: from, to: to))
    }
}
