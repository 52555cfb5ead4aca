/// What the jobs of a batch leave to its end: the counters, which are written once however many moved, and ends whose
/// rows were refused.
final class JobBatch: BatchAttachment {
    /// What domains write when jobs end.
    let ends: JobEnds
    private var batchMoves = JobMoves()
    private var entryMoves = JobMoves()
    private var batchSubmissions = SubmissionMoves()
    private var entrySubmissions = SubmissionMoves()
    /// What people's submissions took when the batch began, as far as it was asked for.
    private var formerUse: [String: SubmissionUse] = [:]
    private var batchRefusals: [RefusedEnd] = []
    private var entryRefusals: [RefusedEnd] = []
    /// What the entry had gathered when each part under way began.
    private var parts: [(moves: JobMoves, submissions: SubmissionMoves, refusals: [RefusedEnd])] = []

    init(ends: JobEnds = JobEnds()) {
        self.ends = ends
    }

    /// A job came, went, or changed its state.
    func moved(_ move: JobMoves.Move) {
        entryMoves.add(move)
    }

    /// Jobs that a person submitted came, or ended.
    func submitted(_ change: SubmissionUse, userID: String) {
        entrySubmissions.add(change, userID: userID)
    }

    /// What a person's submissions take by now.
    ///
    /// - Parameter former: reads what they took when the batch began.
    func submissionUse(ofUser userID: String, former: () throws -> SubmissionUse) throws -> SubmissionUse {
        // The batch writes them at its end, and under the write lock nobody else does.
        var use = try formerUse[userID] ?? former()
        formerUse[userID] = use
        use += batchSubmissions.change(ofUser: userID)
        use += entrySubmissions.change(ofUser: userID)
        return use
    }

    /// The rows of a job's end were refused.
    func refused(_ end: RefusedEnd) {
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

    func partEnded(isKept: Bool) {
        guard let before = parts.popLast(), !isKept else { return }
        (entryMoves, entrySubmissions, entryRefusals) = before
    }

    func finishBatch(in transaction: WriteTransaction) throws {
        let change = transaction.lastChange ?? 0
        for (userID, state, delta) in batchMoves.changes(by: \.userID, keepsKeys: true) {
            try transaction.execute(
                """
                INSERT INTO job_counts (user_id, state, count, change)
                VALUES (\(userID), \(state), \(delta), \(change))
                ON CONFLICT (user_id, state) DO UPDATE SET count = job_counts.count + excluded.count,
                    change = CASE WHEN excluded.change > 0 THEN excluded.change ELSE job_counts.change END
                """)
        }
        for (kind, state, delta) in batchMoves.changes(by: \.kind) {
            try transaction.execute(
                """
                INSERT INTO job_kind_counts (kind, state, count) VALUES (\(kind), \(state), \(delta))
                ON CONFLICT (kind, state) DO UPDATE SET count = job_kind_counts.count + excluded.count
                """)
        }
        for (userID, change) in batchSubmissions.changes {
            try transaction.execute(
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

    /// What domains write when jobs end.
    var ends: JobEnds { jobBatch.ends }

    /// Notes that a job came, went, or changed its state; the counters are written once a batch, however many moved.
    func moved(_ move: JobMoves.Move) {
        jobBatch.moved(move)
    }

    /// Notes that jobs that a person submitted came, or ended; the counter is written once a batch.
    func submitted(_ change: SubmissionUse, userID: String) {
        jobBatch.submitted(change, userID: userID)
    }

    /// What a person's submissions take, this batch's included.
    ///
    /// - Parameter former: reads what they took when the batch began; called once a batch at most.
    func submissionUse(ofUser userID: String, former: () throws -> SubmissionUse) throws -> SubmissionUse {
        try jobBatch.submissionUse(ofUser: userID, former: former)
    }

    /// Notes that the rows of a job's end were refused.
    func refused(_ end: RefusedEnd) {
        jobBatch.refused(end)
    }
}

extension Database {
    /// Says what domains write when jobs of theirs end; called before jobs are worked on.
    ///
    /// - Parameters:
    ///   - ends: one for each kind at most.
    ///   - onRefusal: told of an end whose rows were refused, once the job has ended without them; it runs on the
    ///     writer's thread and must be quick.
    package func register(_ ends: [JobEnd], onRefusal: @escaping @Sendable (RefusedEnd) -> Void) {
        let ends = JobEnds(ends, onRefusal: onRefusal)
        attach(JobBatch.self) { JobBatch(ends: ends) }
    }
}
