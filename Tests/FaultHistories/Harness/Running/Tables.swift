import Storage

/// Reads the tables of the history's database for a ``Record``.
enum Tables {
    static func jobs(in reader: ReadTransaction) throws -> [String: Record.Job] {
        var jobs: [String: Record.Job] = [:]
        for row in try reader.rows(
            """
            SELECT id, kind, state, run, attempt, payload, result, error_code, finished_at IS NOT NULL AS has_end,
                lease_expires_at IS NOT NULL AS has_lease, is_suspect
            FROM jobs
            """)
        {
            var job = Record.Job(
                id: try row["id"], kind: try row["kind"], state: try row["state"], run: try row["run"],
                payload: try row["payload"])
            job.attempt = try row["attempt"]
            job.result = try row["result"]
            job.errorCode = try row["error_code"]
            job.hasEnd = try row["has_end"] as Int == 1
            job.hasLease = try row["has_lease"] as Int == 1
            job.isSuspect = try row["is_suspect"] as Int == 1
            jobs[job.id] = job
        }
        for row in try reader.rows("SELECT job_id, run, error_code FROM job_attempts ORDER BY job_id, run") {
            let (id, code): (String, String) = (try row["job_id"], try row["error_code"])
            jobs[id]?.attempts.append(code)
            if ["workerDied", "poison"].contains(code) { jobs[id]?.deathRuns.insert(try row["run"]) }
        }
        return jobs
    }

    /// Jobs and searches that have not ended, in one sentence each.
    static func unended(in reader: ReadTransaction) throws -> [String] {
        let jobs = try reader.rows("SELECT id, kind, state, run FROM jobs WHERE finished_at IS NULL").map { row in
            "the job \(try row["id"] as String) (\(try row["kind"] as String)) is \(try row["state"] as String) in run "
                + "\(try row["run"] as Int)"
        }
        let searches = try reader.rows(
            """
            SELECT DISTINCT search_id FROM concert_search_subjects s JOIN concert_searches c ON c.id = s.search_id
            WHERE s.status IS NULL AND c.cancelled_at IS NULL
            """
        ).map { "the search \(try $0["search_id"] as String) has artists without a result" }
        return try jobs + searches + pending(in: reader)
    }

    /// Searches that wait for a lookup, and ends that are owed, in one sentence each. When all jobs have ended there
    /// must be none.
    static func pending(in reader: ReadTransaction) throws -> [String] {
        let ends = try reader.rows("SELECT job_id, kind, tries FROM job_ends").map { row in
            "the end of the job \(try row["job_id"] as String) (\(try row["kind"] as String)) is owed after "
                + "\(try row["tries"] as Int) tries"
        }
        let waiters = try reader.rows(
            "SELECT search_id, rank, job_id FROM concert_search_subjects WHERE job_id IS NOT NULL"
        ).map { row in
            "artist \(try row["rank"] as Int) of the search \(try row["search_id"] as String) waits for the job "
                + "\(try row["job_id"] as String)"
        }
        return ends + waiters
    }

    /// The person of each search.
    static func searchOwners(in reader: ReadTransaction) throws -> [String: String] {
        var owners: [String: String] = [:]
        for row in try reader.rows("SELECT id, user_id FROM concert_searches") {
            let id: String = try row["id"]
            owners[id] = try row["user_id"] as String
        }
        return owners
    }

    /// The jobs that have a checkpoint.
    static func checkpoints(in reader: ReadTransaction) throws -> [String] {
        try reader.rows("SELECT job_id FROM job_checkpoints ORDER BY job_id").map { try $0["job_id"] }
    }

    /// Counters that differ from the rows that they count, in one sentence each.
    static func falseCounters(in reader: ReadTransaction) throws -> [String] {
        func lines(_ rows: [Row]) throws -> Set<String> {
            Set(try rows.map { "\(try $0["owner"] as String) \(try $0["state"] as String) \(try $0["count"] as Int)" })
        }
        let ofUsers = try lines(
            reader.rows("SELECT user_id AS owner, state, count FROM job_counts WHERE count <> 0"))
        let rowsOfUsers = try lines(
            reader.rows("SELECT user_id AS owner, state, COUNT(*) AS count FROM jobs GROUP BY user_id, state"))
        let ofKinds = try lines(reader.rows("SELECT kind AS owner, state, count FROM job_kind_counts WHERE count <> 0"))
        let rowsOfKinds = try lines(
            reader.rows("SELECT kind AS owner, state, COUNT(*) AS count FROM jobs GROUP BY kind, state"))
        // The gateway corrects these from time to time. Here they must be correct without that.
        let ofSubmissions = try lines(
            reader.rows("SELECT user_id AS owner, 'bytes ' || bytes AS state, jobs AS count FROM submission_counts"))
        let rowsOfSubmissions = try lines(
            reader.rows(
                """
                SELECT submission_counts.user_id AS owner, COUNT(jobs.submitted_bytes) AS count,
                    'bytes ' || COALESCE(SUM(jobs.submitted_bytes), 0) AS state
                FROM submission_counts LEFT JOIN jobs
                    ON jobs.user_id = submission_counts.user_id AND jobs.finished_at IS NULL
                GROUP BY submission_counts.user_id
                """))
        return ofUsers.symmetricDifference(rowsOfUsers).union(ofKinds.symmetricDifference(rowsOfKinds))
            .union(ofSubmissions.symmetricDifference(rowsOfSubmissions)).sorted()
            .map { "counters and rows disagree: \($0)" }
    }
}
