import Storage

/// Collects what a batch writes or reports at its end: the job counters, which are written once however many jobs
/// moved, and ends whose rows were refused.
final class JobBatch: BatchAttachment {
    /// The rows that domains write when jobs end.
    let ends: CompletionHooks
    private var batchMoves = KeyedSums<JobMove, Int>()
    private var entryMoves = KeyedSums<JobMove, Int>()
    /// The changes of submissions, by person.
    private var batchSubmissions = KeyedSums<String, SubmissionUse>()
    private var entrySubmissions = KeyedSums<String, SubmissionUse>()
    /// The use of quotas when the batch began, for the people for whom it was read.
    private var formerUse: [String: SubmissionUse] = [:]
    private var batchRefusals: [HookFailure] = []
    private var entryRefusals: [HookFailure] = []
    /// What the entry had collected when each of its savepoints began.
    private var parts:
        [(moves: KeyedSums<JobMove, Int>, submissions: KeyedSums<String, SubmissionUse>, refusals: [HookFailure])] = []

    init(ends: CompletionHooks = CompletionHooks()) {
        self.ends = ends
    }

    /// Notes that a job was inserted, was deleted, or changed its state.
    func moved(_ move: JobMove) {
        entryMoves.add(1, to: move)
    }

    /// Notes that jobs that a person submitted were inserted or ended.
    func submitted(_ change: SubmissionUse, userID: String) {
        entrySubmissions.add(change, to: userID)
    }

    /// A person's use of quotas, including this batch.
    ///
    /// - Parameter former: reads the use when the batch began.
    func submissionUse(ofUser userID: String, former: () throws -> SubmissionUse) throws -> SubmissionUse {
        // The counter is read once: the batch writes it at its end, and under the write lock nobody else does.
        var use = try formerUse[userID] ?? former()
        formerUse[userID] = use
        use += batchSubmissions[userID] + entrySubmissions[userID]
        return use
    }

    /// Notes that the rows of a job's end were refused.
    func refused(_ end: HookFailure) {
        entryRefusals.append(end)
    }

    // MARK: The batch

    func entrySucceeded() {
        batchMoves.add(entryMoves)
        entryMoves.removeAll()
        batchSubmissions.add(entrySubmissions)
        entrySubmissions.removeAll()
        if !entryRefusals.isEmpty {
            batchRefusals += entryRefusals
            entryRefusals = []
        }
    }

    func entryRolledBack() {
        entryMoves.removeAll()
        entrySubmissions.removeAll()
        entryRefusals = []
        parts = []
    }

    func partBegan() {
        parts.append((entryMoves, entrySubmissions, entryRefusals))
    }

    func partEnded(isStored: Bool) {
        guard let before = parts.popLast(), !isStored else { return }
        (entryMoves, entrySubmissions, entryRefusals) = before
    }

    func finishBatch(in transaction: WriteTransaction) throws {
        let change = transaction.lastChange ?? 0
        for (userID, state, delta) in batchMoves.changes(by: \.userID, keepsKeys: true) {
            try transaction.run(
                """
                INSERT INTO job_counts (user_id, state, count, change)
                VALUES (\(userID), \(state), \(delta), \(change))
                ON CONFLICT (user_id, state) DO UPDATE SET count = job_counts.count + excluded.count,
                    change = CASE WHEN excluded.change > 0 THEN excluded.change ELSE job_counts.change END
                """)
        }
        for (kind, state, delta) in batchMoves.changes(by: \.kind) {
            try transaction.run(
                """
                INSERT INTO job_kind_counts (kind, state, count) VALUES (\(kind), \(state), \(delta))
                ON CONFLICT (kind, state) DO UPDATE SET count = job_kind_counts.count + excluded.count
                """)
        }
        for (userID, change) in batchSubmissions.all where change != .zero {
            try transaction.run(
                """
                INSERT INTO submission_counts (user_id, jobs, bytes) VALUES (\(userID), \(change.jobs), \(change.bytes))
                ON CONFLICT (user_id) DO UPDATE SET jobs = submission_counts.jobs + excluded.jobs,
                    bytes = submission_counts.bytes + excluded.bytes
                """)
        }
    }

    func whenDurable() -> (@Sendable () -> Void)? {
        guard !batchRefusals.isEmpty else { return nil }
        return { [ends, batchRefusals] in
            for end in batchRefusals { ends.onRefusal(end) }
        }
    }
}

extension WriteTransaction {
    private var jobBatch: JobBatch { attachment(JobBatch.self) { JobBatch() } }

    /// The rows that domains write when jobs end.
    var ends: CompletionHooks { jobBatch.ends }

    /// Notes that a job was inserted, was deleted, or changed its state. The counters are written once per batch.
    func moved(_ move: JobMove) {
        jobBatch.moved(move)
    }

    /// Notes that jobs that a person submitted were inserted or ended. The counter is written once per batch.
    func submitted(_ change: SubmissionUse, userID: String) {
        jobBatch.submitted(change, userID: userID)
    }

    /// A person's use of quotas, including this batch.
    ///
    /// - Parameter former: reads the use when the batch began; called at most once per batch and person.
    func submissionUse(ofUser userID: String, former: () throws -> SubmissionUse) throws -> SubmissionUse {
        try jobBatch.submissionUse(ofUser: userID, former: former)
    }

    /// Notes that the rows of a job's end were refused.
    func refused(_ end: HookFailure) {
        jobBatch.refused(end)
    }
}

extension Database {
    /// Registers the rows that domains write when jobs end. Called before any job is written.
    ///
    /// - Parameters:
    ///   - ends: at most one for each kind.
    ///   - onRefusal: called when the rows of an end were refused, after the job has durably ended without them. It
    ///     runs on the writer's thread and must be quick.
    package func register(_ ends: [CompletionHook], onRefusal: @escaping @Sendable (HookFailure) -> Void) {
        let ends = CompletionHooks(ends, onRefusal: onRefusal)
        attach(JobBatch.self) { JobBatch(ends: ends) }
    }
}
