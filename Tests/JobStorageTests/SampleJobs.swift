import JobStorage
import Model
import Storage

/// A fixed moment for tests.
let noon = Timestamp(microseconds: 1_795_000_000_000_000)

/// The default kind of sample jobs.
let sampleKind = "diagnostics.echo"

extension Timestamp {
    static func + (left: Timestamp, right: Duration) -> Timestamp { left.advanced(by: right) }
}

extension JobInsertion {
    static func sample(
        id: String = UUIDv7.next(), userID: String = "u", kind: String = sampleKind,
        createdAt: Timestamp = noon,
        runAt: Timestamp? = nil, uniqueKey: String? = nil, claim: Claim? = nil,
        trace: String? = nil, onBehalfOf: String? = nil, payload: String = "{}", isSubmission: Bool = false
    ) -> JobInsertion {
        JobInsertion(
            id: id, userID: userID, kind: kind, version: 1, payload: payload, priority: 0, maximumAttempts: 5,
            createdAt: createdAt, runAt: runAt ?? createdAt, uniqueKey: uniqueKey,
            fingerprint: uniqueKey.map { "print of \($0)" }, claim: claim, trace: trace, onBehalfOf: onBehalfOf,
            isSubmission: isSubmission)
    }

    /// The same job, due a minute later.
    fileprivate var postponed: JobInsertion {
        JobInsertion(
            id: id, userID: userID, kind: kind, version: version, payload: payload, priority: priority,
            maximumAttempts: maximumAttempts, createdAt: createdAt, runAt: createdAt + .seconds(60),
            uniqueKey: uniqueKey, fingerprint: fingerprint, claim: claim, trace: trace, onBehalfOf: onBehalfOf,
            isSubmission: submittedBytes != nil)
    }
}

extension Database {
    /// Inserts a job and moves it to `state`; returns its last run.
    func makeJob(_ job: JobInsertion = .sample(), in state: JobState) async throws -> JobRun {
        try await write { transaction in
            let job = state == .scheduled ? job.postponed : job
            try transaction.jobs.insert(job)
            var run = JobRun(jobID: job.id, run: 0)
            switch state {
            case .scheduled, .queued: break
            case .cancelled: _ = try transaction.jobs.cancel(jobID: job.id, userID: job.userID, now: noon)
            case .running, .succeeded, .failed:
                run = try transaction.claimed(job.id)
                if state == .succeeded {
                    _ = try transaction.jobs.succeed(run, userID: job.userID, kind: job.kind, result: "{}", now: noon)
                } else if state == .failed {
                    _ = try transaction.jobs.fail(
                        run, userID: job.userID, kind: job.kind, code: "broken", message: "It broke.", retryAt: nil,
                        now: noon)
                }
            }
            return run
        }
    }

    func job(_ id: String, userID: String = "u") async throws -> JobRecord? {
        try await read { try $0.jobs.job(id: id, userID: userID) }
    }

    /// The number of rows in each state, by user.
    func countedStates() async throws -> [String: [JobState: Int]] {
        try await read { reader in
            var counts: [String: [JobState: Int]] = [:]
            for row in try reader.rows("SELECT user_id, state, COUNT(*) AS count FROM jobs GROUP BY user_id, state") {
                counts[try row["user_id"], default: [:]][try row["state"]] = try row["count"]
            }
            return counts
        }
    }

    /// The number of rows in each state, by kind.
    func countedKinds() async throws -> [String: [JobState: Int]] {
        try await read { reader in
            var counts: [String: [JobState: Int]] = [:]
            for row in try reader.rows("SELECT kind, state, COUNT(*) AS count FROM jobs GROUP BY kind, state") {
                counts[try row["kind"], default: [:]][try row["state"]] = try row["count"]
            }
            return counts
        }
    }
}

extension WriteTransaction {
    func claimed(_ id: String, worker: String = "w/1") throws -> JobRun {
        guard let lastRun: Int64 = try row("SELECT run FROM jobs WHERE id = \(id)")?["run"],
            let job = try jobs.claim(
                jobID: id, lastRun: lastRun, worker: worker, leaseExpiresAt: MonotonicInstant(microseconds: 1_000),
                now: noon)
        else { throw NotClaimed() }
        return job.run
    }
}

struct NotClaimed: Error {}
