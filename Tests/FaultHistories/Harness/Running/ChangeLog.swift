import Storage

/// A table in the history's own database to which triggers write every change of a job's state or run: what
/// the processes really wrote, in the order in which they did.
enum ChangeLog {
    static func install(in database: Database) async throws {
        try await database.write { transaction in
            for statement in statements { try transaction.execute(statement) }
        }
    }

    private static let columns =
        "at, job_id, user_id, unique_key, old_state, state, old_run, run, old_worker, worker, attempt"

    /// SQLite's own clock: the one of `Timestamp` is set wrong on purpose.
    private static let now = "CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)"

    private static var statements: [SQL] {
        [
            """
            CREATE TABLE history_log (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, at BIGINT NOT NULL, job_id TEXT NOT NULL, user_id TEXT NOT NULL,
                unique_key TEXT, old_state TEXT NOT NULL, state TEXT NOT NULL, old_run BIGINT NOT NULL,
                run BIGINT NOT NULL, old_worker TEXT, worker TEXT, attempt BIGINT NOT NULL)
            """,
            SQL(
                stringLiteral: """
                    CREATE TRIGGER history_of_insertions AFTER INSERT ON jobs BEGIN
                        INSERT INTO history_log (\(columns)) VALUES (\(now), NEW.id, NEW.user_id, NEW.unique_key, '',
                            NEW.state, 0, NEW.run, NULL, NEW.worker, NEW.attempt);
                    END
                    """),
            SQL(
                stringLiteral: """
                    CREATE TRIGGER history_of_updates AFTER UPDATE ON jobs
                    WHEN OLD.state <> NEW.state OR OLD.run <> NEW.run BEGIN
                        INSERT INTO history_log (\(columns)) VALUES (\(now), NEW.id, NEW.user_id, NEW.unique_key, OLD.state,
                            NEW.state, OLD.run, NEW.run, OLD.worker, NEW.worker, NEW.attempt);
                    END
                    """),
            SQL(
                stringLiteral: """
                    CREATE TRIGGER history_of_deletions AFTER DELETE ON jobs BEGIN
                        INSERT INTO history_log (\(columns)) VALUES (\(now), OLD.id, OLD.user_id, OLD.unique_key, OLD.state,
                            'deleted', OLD.run, OLD.run, OLD.worker, NULL, OLD.attempt);
                    END
                    """),
        ]
    }

    static func changes(in reader: ReadTransaction) throws -> [Record.Change] {
        try reader.rows(
            """
            SELECT at, job_id, user_id, unique_key, old_state, state, old_run, run, old_worker, worker, attempt
            FROM history_log ORDER BY seq
            """
        ).map { row in
            var change = Record.Change(
                jobID: try row["job_id"], at: try row["at"], from: try row["old_state"], to: try row["state"],
                run: try row["run"])
            change.oldRun = try row["old_run"]
            change.attempt = try row["attempt"]
            change.oldWorker = try row["old_worker"]
            change.worker = try row["worker"]
            change.userID = try row["user_id"]
            change.uniqueKey = try row["unique_key"]
            return change
        }
    }
}

/// The tables of the history's database, as a ``Record`` has them.
enum Tables {
    static func jobs(in reader: ReadTransaction) throws -> [String: Record.Job] {
        var jobs: [String: Record.Job] = [:]
        for row in try reader.rows(
            """
            SELECT id, kind, state, run, attempt, payload, result, error_code, finished_at IS NOT NULL AS has_end,
                lease_expires_at IS NOT NULL AS has_lease
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
            jobs[job.id] = job
        }
        for row in try reader.rows("SELECT job_id, error_code FROM job_attempts ORDER BY job_id, run") {
            jobs[try row["job_id"]]?.attempts.append(try row["error_code"])
        }
        return jobs
    }

    /// What has not ended, each a sentence.
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
        return jobs + searches
    }

    /// Counters that do not agree with the rows that they count, each a sentence.
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
        return ofUsers.symmetricDifference(rowsOfUsers).union(ofKinds.symmetricDifference(rowsOfKinds)).sorted()
            .map { "counters and rows disagree: \($0)" }
    }
}
