import Foundation
import Model
import Storage

/// The longest pause between attempts to write an end's rows: 1 s, 2 s, 4 s … 900 s.
private let longestPause = Duration.seconds(900)

extension JobStore {
    /// Whether rows of ended jobs are due for another attempt.
    package func hasPendingHooks(now: Timestamp) throws -> Bool {
        try transaction.row("SELECT 1 AS found FROM job_ends WHERE \(isDue(now)) LIMIT 1") != nil
    }

    /// Ids of jobs whose ends are still owed and concern a person: the person's own jobs, and those of `owner` that
    /// name the person.
    ///
    /// - Parameters:
    ///   - owner: the owner of jobs that serve everybody.
    ///   - now: if given, only ends that are due by then.
    func pendingHooks(of userID: String, owner: String, dueBy now: Timestamp? = nil, limit: Int) throws -> [String] {
        let isTime = now.map { "AND " + isDue($0) } ?? ""
        return try transaction.rows(
            """
            SELECT job_id FROM job_ends
            WHERE (user_id = \(userID) OR user_id = \(owner) AND ended LIKE \("%\(userID)%")) \(isTime)
            ORDER BY job_id LIMIT \(limit)
            """
        ).map { try $0["job_id"] }
    }

    /// Whether an end is due. A time that is further away than the longest pause was set while the clock was ahead.
    fileprivate func isDue(_ now: Timestamp) -> SQL {
        "(next_at <= \(now) OR next_at > \(now.advanced(by: longestPause)))"
    }
}

extension JobStore where Access == WriteTransaction {
    /// Writes the domain's rows for a job that has just ended permanently. The job's own row still exists.
    func ended(_ jobID: String, userID: String, kind: String, as ending: FinalState, now: Timestamp) throws {
        guard let end = transaction.ends[kind],
            let row = try transaction.row("SELECT version, payload FROM jobs WHERE id = \(jobID)")
        else { return }
        let job = FinishedJob(
            id: jobID, userID: userID, kind: kind, version: try row["version"], payload: try row["payload"],
            ending: ending)
        guard let refusal = try transaction.apart({ try end.write(job, transaction) }) else { return }
        let owed = PendingHook(version: job.version, payload: job.payload, ending: ending)
        try transaction.run(
            """
            INSERT INTO job_ends (job_id, user_id, kind, ended, tries, next_at)
            VALUES (\(jobID), \(userID), \(kind), \(try owed.json), 1, \(now.advanced(by: .seconds(1))))
            ON CONFLICT (job_id) DO UPDATE SET ended = excluded.ended, tries = 1, next_at = excluded.next_at
            """)
        transaction.refused(HookFailure(jobID: jobID, kind: kind, tries: 1, error: refusal))
    }

    /// Retries due rows of ended jobs. Each end is written once or stays owed.
    ///
    /// - Returns: how many ends were tried, and how many of them were written.
    package func runPendingHooks(now: Timestamp, limit: Int) throws -> (tried: Int, written: Int) {
        let pending = try transaction.rows(
            """
            SELECT job_id, user_id, kind, ended, tries FROM job_ends WHERE \(isDue(now))
            ORDER BY next_at LIMIT \(limit)
            """)
        return (pending.count, try write(pending, now: now))
    }

    /// Like ``runPendingHooks(now:limit:)``, for the owed ends of these jobs.
    func runPendingHooks(ofJobs ids: [String], now: Timestamp) throws {
        let pending = try transaction.rows(
            "SELECT job_id, user_id, kind, ended, tries FROM job_ends WHERE job_id IN (\(list: ids))")
        _ = try write(pending, now: now)
    }

    /// - Returns: how many of these ends were written.
    private func write(_ pending: [Row], now: Timestamp) throws -> Int {
        var written = 0
        for row in pending {
            let (id, kind): (String, String) = (try row["job_id"], try row["kind"])
            let refusal = try transaction.apart {
                // An end of a kind that this process does not know stays owed until a process knows it.
                guard let end = transaction.ends[kind] else { throw UnknownHook(kind: kind) }
                try end.write(try FinishedJob(owed: row), transaction)
                try transaction.run("DELETE FROM job_ends WHERE job_id = \(id)")
            }
            guard let refusal else {
                written += 1
                continue
            }
            let tries = try row["tries"] + 1
            let pause = min(longestPause, .seconds(1 << min(tries - 1, 20)))
            try transaction.run(
                """
                UPDATE job_ends SET tries = \(tries), next_at = \(now.advanced(by: pause)) WHERE job_id = \(id)
                """)
            transaction.refused(HookFailure(jobID: id, kind: kind, tries: tries, error: refusal))
        }
        return written
    }

    /// Undoes the rows of a dead letter's end before the job is requeued.
    ///
    /// - Throws: ``JobNotRequeueable``.
    func undoHook(ofDeadLetter jobID: String, userID: String) throws {
        guard
            let row = try transaction.row(
                """
                SELECT kind, version, payload, error_code FROM jobs
                WHERE id = \(jobID) AND user_id = \(userID) AND state = 'failed'
                """)
        else { return }
        let kind: String = try row["kind"]
        guard let end = transaction.ends[kind] else { return }
        // Rows that are still owed need no undoing.
        if try transaction.execute("DELETE FROM job_ends WHERE job_id = \(jobID)") > 0 { return }
        let job = FinishedJob(
            id: jobID, userID: userID, kind: kind, version: try row["version"], payload: try row["payload"],
            ending: .failed(code: try row["error_code"] ?? ""))
        guard let undo = end.undo, case .undone = try undo(job, transaction) else {
            throw JobNotRequeueable(jobID: jobID)
        }
    }
}

private struct UnknownHook: Error {
    var kind: String
}

/// The JSON of a row of `job_ends`: the columns of a job whose own row may be gone when the end is tried again.
private struct PendingHook: Codable {
    var version: Int
    var payload: String
    var ending: FinalState

    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}

extension FinishedJob {
    fileprivate init(owed row: Row) throws {
        let ended: String = try row["ended"]
        let owed = try JSONDecoder().decode(PendingHook.self, from: Data(ended.utf8))
        self.init(
            id: try row["job_id"], userID: try row["user_id"], kind: try row["kind"], version: owed.version,
            payload: owed.payload, ending: owed.ending)
    }
}
