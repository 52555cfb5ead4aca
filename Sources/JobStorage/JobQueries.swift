import Model
import Storage

/// Queries for jobs. Every query for a user's rows names the user. Ephemeral jobs are left out unless a query says
/// otherwise.
extension JobStore {
    package func job(id: String, userID: String) throws -> JobRecord? {
        try transaction.row(
            """
            SELECT \(JobRecord.columns) FROM jobs
            WHERE id = \(id) AND user_id = \(userID) AND \(JobRecord.isListed)
            """
        ).map(JobRecord.init)
    }

    /// An awaited job, ephemeral or not.
    package func awaitedJob(id: String, userID: String) throws -> JobRecord? {
        try transaction.row("SELECT \(JobRecord.columns) FROM jobs WHERE id = \(id) AND user_id = \(userID)").map(
            JobRecord.init)
    }

    package func jobs(ids: [String], userID: String) throws -> [JobRecord] {
        try transaction.rows("SELECT \(JobRecord.columns) FROM jobs WHERE id IN (\(list: ids)) AND user_id = \(userID)")
            .map(JobRecord.init)
    }

    /// Whether a user has any job of these ids.
    package func hasAny(of ids: [String], userID: String) throws -> Bool {
        try transaction.row("SELECT 1 FROM jobs WHERE id IN (\(list: ids)) AND user_id = \(userID) LIMIT 1") != nil
    }

    /// Dead letters of all users, newest first, from the one after `cursor` on (``JobLists/deadLetters``).
    package func deadLetters(after cursor: Cursor<RowID>?, limit: Int) throws -> [JobRecord] {
        try transaction.rows(
            """
            SELECT \(JobRecord.columns) FROM jobs
            WHERE state = 'failed' AND \(JobRecord.isListed)\(JobLists.deadLetters.following(cursor))
            ORDER BY \(JobLists.deadLetters.order) LIMIT \(limit)
            """
        ).map(JobRecord.init)
    }

    /// The owner of a job; `nil` if there is no job with that id.
    package func owner(ofJob id: String) throws -> String? {
        try transaction.row("SELECT user_id FROM jobs WHERE id = \(id)")?["user_id"]
    }

    /// The ids among `ids` of finished jobs.
    package func finishedJobs(among ids: some Collection<String>) throws -> [String] {
        try ids.listParts.flatMap { part in
            try transaction.rows(
                "SELECT id FROM jobs WHERE id IN (\(list: part)) AND state IN ('succeeded', 'failed', 'cancelled')"
            ).map { try $0["id"] }
        }
    }

    package func attempts(jobID: String) throws -> [JobAttemptRecord] {
        try transaction.rows(
            """
            SELECT attempt, started_at, finished_at, error_code, error_message
            FROM job_attempts WHERE job_id = \(jobID) ORDER BY run
            """
        ).map {
            JobAttemptRecord(
                attempt: try $0["attempt"], startedAt: try $0["started_at"], finishedAt: try $0["finished_at"],
                errorCode: try $0["error_code"], errorMessage: try $0["error_message"])
        }
    }

    /// How many jobs a user has in each state, from counters.
    package func jobCounts(userID: String) throws -> [JobState: Int] {
        var counts: [JobState: Int] = [:]
        for row in try transaction.rows("SELECT state, count FROM job_counts WHERE user_id = \(userID)") {
            counts[try row["state"]] = try row["count"]
        }
        // Ephemeral jobs are subtracted: leaving them out of the counters would require every change of any job to know
        // whether it is one. They are few. The condition on the kind is true for every row; with it, SQLite chooses the
        // index on ephemeral jobs.
        for row in try transaction.rows(
            """
            SELECT state, COUNT(*) AS count FROM jobs
            WHERE user_id = \(userID) AND kind >= '' AND \(JobRecord.isEphemeral)
            GROUP BY state
            """)
        {
            counts[try row["state"], default: 0] -= try row["count"]
        }
        return counts
    }

    /// How many jobs of all users are in each state, by kind, from counters.
    package func jobCountsByKind() throws -> [String: [JobState: Int]] {
        var counts: [String: [JobState: Int]] = [:]
        for row in try transaction.rows("SELECT kind, state, count FROM job_kind_counts") {
            counts[try row["kind"], default: [:]][try row["state"]] = try row["count"]
        }
        return counts
    }

    /// All runs that are under way.
    package func runningJobs() throws -> [RunningJob] {
        try transaction.map(
            """
            SELECT id, run, user_id, on_behalf_of, kind, version, priority, started_at, worker, is_suspect, crashes,
                crash_group, outage_at
            FROM jobs WHERE state = 'running' AND \(JobRecord.isLive)
            """, RunningJob.init)
    }
}

extension JobStore where Access == ReadTransaction {
    /// A page of a user's jobs, newest first, from the one after `cursor` on (``JobLists/own``).
    ///
    /// - Parameters:
    ///   - limit: the most jobs.
    ///   - maximumBytes: the bytes of rows at which a page ends, since results may be large. A page has at least one
    ///     job.
    package func jobs(
        userID: String, state: JobState?, kind: String?, after cursor: Cursor<RowID>?, limit: Int,
        maximumBytes: Int = .max
    ) throws -> (jobs: [JobRecord], hasMore: Bool) {
        var condition: SQL = "user_id = \(userID) AND \(JobRecord.isListed)"
        if let state { condition = condition + " AND state = \(state)" }
        if let kind { condition = condition + " AND kind = \(kind)" }
        let (rows, isComplete) = try transaction.rows(
            "SELECT \(JobRecord.columns) FROM jobs WHERE " + condition + JobLists.own.following(cursor)
                + " ORDER BY \(JobLists.own.order) LIMIT \(limit)",
            maximumBytes: maximumBytes)
        let jobs = try rows.map(JobRecord.init)
        guard let last = jobs.last, !isComplete || jobs.count == limit else { return (jobs, false) }
        let next = try transaction.row(
            "SELECT 1 FROM jobs WHERE " + condition + JobLists.own.following(Cursor(RowID(last.id))) + " LIMIT 1")
        return (jobs, next != nil)
    }
}

/// A scheduled or queued job.
package struct WaitingJob: Sendable {
    package var id: String
    /// The number of its last run; 0 for a job that never ran.
    package var lastRun: Int64
    package var userID: String
    /// The person whom the job is for, if that is not its owner.
    package var onBehalfOf: String?
    package var kind: String
    package var version: Int
    package var priority: Int
    package var isScheduled: Bool
    /// Whether a person submitted it.
    package var isSubmission: Bool
    package var createdAt: Timestamp
    package var runAt: Timestamp
    /// When its last run began.
    package var startedAt: Timestamp?
    /// When `runAt` of a postponed job was set; `nil` for other jobs, and for rows from before schema 51.
    package var plannedAt: Timestamp?
    /// The crash group of a suspect; `nil` for other jobs.
    package var crashGroup: String?
    /// When it last ran while the gateway went down together with its worker.
    package var outageAt: Timestamp?
    package var crashes: Int
    package var change: Int64

    init(row: Row) throws {
        id = try row["id"]
        lastRun = try row["run"]
        userID = try row["user_id"]
        onBehalfOf = try row["on_behalf_of"]
        kind = try row["kind"]
        version = try row["version"]
        priority = try row["priority"]
        isScheduled = try row["state"] as JobState == .scheduled
        isSubmission = try row["submitted_bytes"] as Int? != nil
        createdAt = try row["created_at"]
        runAt = try row["run_at"]
        startedAt = try row["started_at"]
        plannedAt = try row["planned_at"]
        crashGroup = try row.crashGroup(ofJob: id)
        outageAt = try row["outage_at"]
        crashes = try row["crashes"]
        change = try row["change"]
    }
}

/// A run that is under way and that a worker holds.
package struct RunningJob: Sendable {
    package var run: JobRun
    package var userID: String
    /// The person whom the job is for, if that is not its owner.
    package var onBehalfOf: String?
    package var kind: String
    package var version: Int
    package var priority: Int
    package var startedAt: Timestamp
    /// The instance of the worker.
    package var worker: String
    /// The crash group of a suspect; `nil` for other jobs.
    package var crashGroup: String?
    /// When it last ran while the gateway went down together with its worker.
    package var outageAt: Timestamp?
    package var crashes: Int

    init(row: Row) throws {
        run = JobRun(jobID: try row["id"], run: try row["run"])
        userID = try row["user_id"]
        onBehalfOf = try row["on_behalf_of"]
        kind = try row["kind"]
        version = try row["version"]
        priority = try row["priority"]
        startedAt = try row["started_at"]
        worker = try row["worker"] ?? ""
        crashGroup = try row.crashGroup(ofJob: run.jobID)
        outageAt = try row["outage_at"]
        crashes = try row["crashes"]
    }
}

extension Row {
    /// The name of a job's crash group; `nil` for a job that is not a suspect, whose column may still contain a former
    /// group. A suspect without a name is from before there were groups, and is a group by itself.
    fileprivate func crashGroup(ofJob id: String) throws -> String? {
        let isSuspect: Bool = try self["is_suspect"]
        return isSuspect ? try self["crash_group"] ?? id : nil
    }
}
