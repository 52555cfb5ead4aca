import Model
import Storage

/// The state of a long job.
package protocol CheckpointState: Codable, Sendable {
    /// How much of the job's work is done, in a unit of its kind: pages written, steps done, entries matched.
    ///
    /// It counts what is done according to the domain's rows. Transactions, runs and attempts are not work: a job that
    /// counted them would make progress forever, and no failure or crash would ever weigh against it.
    var workDone: Int { get }
}

/// The state that a job's handler last wrote.
package struct JobCheckpoint: Sendable, Equatable {
    /// The most bytes of a state's JSON.
    package static let maximumBytes = 64 << 10

    /// The version of the state, which its kind sets.
    package var version: Int
    /// The state as JSON.
    package var state: String
    /// See ``CheckpointState/workDone``.
    package var work: Int

    package init(version: Int, state: String, work: Int) {
        self.version = version
        self.state = state
        self.work = work
    }
}

/// The state from which a run starts.
package struct RunStart: Sendable {
    /// The last checkpoint of the earlier runs.
    package var checkpoint: JobCheckpoint?
    /// The known running time of all earlier runs.
    package var ranFor: Duration

    /// The start of a job's first run.
    package static let first = RunStart(checkpoint: nil, ranFor: .zero)
}

/// The effect of a checkpoint.
package struct CheckpointResult: Sendable, Equatable {
    /// Whether more work is done than at any earlier checkpoint of the job.
    package var isProgress: Bool
    /// Whether marks of earlier failures or crashes were cleared.
    package var hasCleared: Bool

    package init(isProgress: Bool, hasCleared: Bool) {
        self.isProgress = isProgress
        self.hasCleared = hasCleared
    }
}

extension JobStore {
    /// The state from which a run starts; `nil` if it is no longer running.
    package func start(of run: JobRun) throws -> RunStart? {
        try transaction.row(
            """
            SELECT jobs.ran_for, job_checkpoints.version AS state_version, job_checkpoints.state AS kept_state,
                job_checkpoints.work
            FROM jobs LEFT JOIN job_checkpoints ON job_checkpoints.job_id = jobs.id
            WHERE jobs.id = \(run.jobID) AND jobs.run = \(run.run) AND jobs.state = 'running'
            """
        ).map { row in
            var start = RunStart(checkpoint: nil, ranFor: .microseconds(try row["ran_for"] as Int64))
            if let version: Int = try row["state_version"], let state: String = try row["kept_state"] {
                start.checkpoint = JobCheckpoint(version: version, state: state, work: try row["work"])
            }
            return start
        }
    }
}

extension JobStore where Access == WriteTransaction {
    /// Counts a run's time up to a checkpoint, if the run is still running: the fence of the checkpoint's transaction,
    /// which the handler's rows and ``keep(_:of:now:)`` follow.
    ///
    /// - Parameter ranFor: the running time since it was last counted.
    /// - Returns: whether the run is still running.
    package func beginCheckpoint(of run: JobRun, ranFor: Duration) throws -> Bool {
        try transaction.execute(
            """
            UPDATE jobs SET ran_for = ran_for + \(ranFor.microseconds)
            WHERE id = \(run.jobID) AND run = \(run.run) AND state = 'running'
            """) == 1
    }

    /// Writes a run's state, after ``beginCheckpoint(of:ranFor:)`` in the same transaction. If more work is done than
    /// at any earlier checkpoint, that is progress, which resets failed attempts and the weight of crashes.
    package func writeCheckpoint(_ checkpoint: JobCheckpoint, of run: JobRun, now: Timestamp) throws -> CheckpointResult
    {
        let before = try transaction.row(
            """
            SELECT jobs.user_id, jobs.attempt, jobs.crashes, jobs.is_suspect, jobs.crash_group,
                job_checkpoints.version AS state_version, job_checkpoints.state AS kept_state, job_checkpoints.work
            FROM jobs LEFT JOIN job_checkpoints ON job_checkpoints.job_id = jobs.id WHERE jobs.id = \(run.jobID)
            """)
        guard let before else { return CheckpointResult(isProgress: false, hasCleared: false) }
        let (version, state): (Int?, String?) = (try before["state_version"], try before["kept_state"])
        let most: Int = try before["work"] ?? 0
        let isProgress = checkpoint.work > most
        if isProgress || version != checkpoint.version || state != checkpoint.state {
            try transaction.run(
                """
                INSERT INTO job_checkpoints (job_id, version, state, work, kept_at)
                VALUES (\(run.jobID), \(checkpoint.version), \(checkpoint.state), \(max(most, checkpoint.work)), \(now))
                ON CONFLICT (job_id) DO UPDATE SET version = excluded.version, state = excluded.state,
                    work = excluded.work, kept_at = excluded.kept_at
                """)
        }
        guard isProgress else { return CheckpointResult(isProgress: false, hasCleared: false) }
        let group: String? = try before["crash_group"]
        let isMarked =
            try before["attempt"] > 1 || before["crashes"] > 0 || before["is_suspect"] as Bool || group != nil
        if isMarked {
            try transaction.run(
                """
                UPDATE jobs SET attempt = 1, crashes = 0, is_suspect = 0, crash_group = NULL,
                    change = \(try transaction.nextChange())
                WHERE id = \(run.jobID)
                """)
            // Noted explicitly, since no counter changes by which the owner's event streams would find the change.
            transaction.recordChange(of: [try before["user_id"] as String], topic: .jobs)
        }
        return CheckpointResult(isProgress: true, hasCleared: isMarked)
    }

    /// Deletes a job's checkpoint.
    func dropCheckpoint(ofJob id: String) throws {
        try transaction.run("DELETE FROM job_checkpoints WHERE job_id = \(id)")
    }
}
