import Model
import Storage

/// A new row of `jobs`. Like `AssignedJob`, it is a class because it is passed on often and copies cost time.
package final class JobInsertion: Sendable {
    /// The worker to which the job is handed, if one has a free place right away. The job is then inserted as running,
    /// which saves the claim's write.
    package struct Claim: Sendable, Hashable {
        package var worker: String
        package var leaseExpiresAt: MonotonicInstant

        package init(worker: String, leaseExpiresAt: MonotonicInstant) {
            self.worker = worker
            self.leaseExpiresAt = leaseExpiresAt
        }
    }

    package let id: String
    package let userID: String
    package let kind: String
    package let version: Int
    /// The payload as JSON.
    package let payload: String
    package let priority: Int
    package let maximumAttempts: Int
    package let createdAt: Timestamp
    /// The earliest time of its first run; later than `createdAt` makes it `scheduled`.
    package let runAt: Timestamp
    package let uniqueKey: String?
    /// A hash of the request, against which a second use of its unique key is compared.
    package let fingerprint: String?
    package let claim: Claim?
    /// The trace id of the request.
    package let trace: String?
    /// Whether it is left out of lists and deleted minutes after its end.
    package let isEphemeral: Bool
    /// The requesting screen, for an ephemeral job.
    package let screen: String?
    /// The person for whom the job is, if that is not its owner. It queues under that person.
    package let onBehalfOf: String?
    /// The payload's size in bytes, for a job that a person submitted and that counts toward the person's quotas until
    /// its end. `nil` for a job that Backline itself submitted, even for a person.
    package let submittedBytes: Int?

    /// - Parameter isSubmission: whether a person submitted the job.
    package init(
        id: String, userID: String, kind: String, version: Int, payload: String, priority: Int, maximumAttempts: Int,
        createdAt: Timestamp, runAt: Timestamp, uniqueKey: String? = nil, fingerprint: String? = nil,
        claim: Claim? = nil, trace: String? = nil, isEphemeral: Bool = false, screen: String? = nil,
        onBehalfOf: String? = nil, isSubmission: Bool = false
    ) {
        self.id = id
        self.userID = userID
        self.kind = kind
        self.version = version
        self.payload = payload
        self.priority = priority
        self.maximumAttempts = maximumAttempts
        self.createdAt = createdAt
        self.runAt = runAt
        self.uniqueKey = uniqueKey
        self.fingerprint = fingerprint
        self.claim = claim
        self.trace = trace
        self.isEphemeral = isEphemeral
        self.screen = screen
        self.onBehalfOf = onBehalfOf == userID ? nil : onBehalfOf
        submittedBytes = isSubmission ? payload.utf8.count : nil
    }

    package var state: JobState {
        if runAt > createdAt { return .scheduled }
        return claim == nil ? .queued : .running
    }

    /// Whether it fills columns that most jobs leave empty.
    fileprivate var isSpecial: Bool { isEphemeral || onBehalfOf != nil }
}

/// The number of rows that one statement inserts for a batch. It opens the table and its indexes once and finds the
/// position of each row next to the last one, which saves a third of the time.
private let rowsTogether = 50

private let insertJob = insertion(ofRows: 1)

private let insertJobs = insertion(ofRows: rowsTogether)

/// A separate statement, so that the usual one does not bind these columns.
private let insertSpecialJob = insertion(ofRows: 1, further: ["is_ephemeral", "screen", "on_behalf_of"])

private func insertion(ofRows count: Int, further columns: [String] = []) -> ConstantSQL {
    let row = "(" + Array(repeating: "?", count: 20 + columns.count).joined(separator: ", ") + ")"
    return ConstantSQL(
        """
        INSERT INTO jobs (
            id, user_id, kind, version, payload, state, priority, run, attempt, maximum_attempts,
            created_at, run_at, started_at, worker, lease_expires_at, unique_key, fingerprint, trace, submitted_bytes,
            \((["change"] + columns).joined(separator: ", ")))
        VALUES \(Array(repeating: row, count: count).joined(separator: ", "))
        """)
}

extension JobStore where Access == WriteTransaction {
    package func insert(_ job: JobInsertion) throws {
        var values: [SQLValue] = []
        try append(job, to: &values)
        guard job.isSpecial else {
            try transaction.run(insertJob, values)
            return
        }
        values += [(job.isEphemeral ? 1 : 0).sqlValue, SQLValue(job.screen), SQLValue(job.onBehalfOf)]
        try transaction.run(insertSpecialJob, values)
    }

    /// Inserts jobs. If it throws, some may have been inserted; the caller rolls them back.
    package func insert(_ jobs: [JobInsertion]) throws {
        let arePlain = !jobs.contains(where: \.isSpecial)
        let together = arePlain ? jobs.count / rowsTogether * rowsTogether : 0
        for start in stride(from: 0, to: together, by: rowsTogether) {
            var values: [SQLValue] = []
            for job in jobs[start..<start + rowsTogether] { try append(job, to: &values) }
            try transaction.run(insertJobs, values)
        }
        for job in jobs[together...] { try insert(job) }
    }

    /// Appends a new row's values, in the order of its columns.
    private func append(_ job: JobInsertion, to values: inout [SQLValue]) throws {
        let state = job.state
        let claim = state == .running ? job.claim : nil
        let runs = claim == nil ? 0 : 1
        values += [
            job.id.sqlValue, job.userID.sqlValue, job.kind.sqlValue, job.version.sqlValue, job.payload.sqlValue,
            state.sqlValue, job.priority.sqlValue, runs.sqlValue, runs.sqlValue, job.maximumAttempts.sqlValue,
            job.createdAt.sqlValue, job.runAt.sqlValue, SQLValue(claim == nil ? nil : job.createdAt),
            SQLValue(claim?.worker), SQLValue(claim?.leaseExpiresAt), SQLValue(job.uniqueKey),
            SQLValue(job.fingerprint), SQLValue(job.trace), SQLValue(job.submittedBytes),
            try transaction.nextChange().sqlValue,
        ]
        transaction.moved(.init(userID: job.userID, kind: job.kind, from: nil, to: state))
        submissionBegan(bytes: job.submittedBytes, userID: job.userID)
    }
}

extension JobStore {
    /// The unfinished job that holds a unique key, with the fingerprint of its request.
    package func holder(ofUniqueKey key: String, userID: String) throws -> (id: String, fingerprint: String?)? {
        try transaction.row(
            """
            SELECT id, fingerprint FROM jobs WHERE user_id = \(userID) AND unique_key = \(key)
            AND \(JobRecord.isLive)
            """
        ).map { (try $0["id"], try $0["fingerprint"]) }
    }
}
