import Storage

/// Tables in the history's own database to which triggers write every change of a job's state or run, and every row of
/// long jobs and of ends, in the order in which the processes wrote them.
enum ChangeLog {
    static func install(in database: Database) async throws {
        try await database.write { transaction in
            for statement in statements + markStatements + searchStatements { try transaction.run(statement) }
        }
    }

    private static let columns =
        "at, job_id, user_id, unique_key, old_state, state, old_run, run, old_worker, worker, attempt, change, "
        + "old_group, crash_group, is_death, is_outage, had_outage"

    /// The crash group of a row. A group's name without the mark `is_suspect` is left from an earlier group.
    private static func group(of row: String) -> String {
        "CASE WHEN \(row).is_suspect = 1 THEN IFNULL(\(row).crash_group, \(row).id) END"
    }

    /// SQLite's own clock: the clock of `Timestamp` is wrong on purpose.
    private static let now = "CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)"

    private static var statements: [SQL] {
        [
            """
            CREATE TABLE history_log (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, at BIGINT NOT NULL, job_id TEXT NOT NULL, user_id TEXT NOT NULL,
                unique_key TEXT, old_state TEXT NOT NULL, state TEXT NOT NULL, old_run BIGINT NOT NULL,
                run BIGINT NOT NULL, old_worker TEXT, worker TEXT, attempt BIGINT NOT NULL,
                change BIGINT, old_group TEXT, crash_group TEXT, is_death BIGINT NOT NULL,
                is_outage BIGINT NOT NULL, had_outage BIGINT NOT NULL)
            """,
            SQL(
                stringLiteral: """
                    CREATE TRIGGER history_of_insertions AFTER INSERT ON jobs BEGIN
                        INSERT INTO history_log (\(columns)) VALUES (\(now), NEW.id, NEW.user_id, NEW.unique_key, '',
                            NEW.state, 0, NEW.run, NULL, NEW.worker, NEW.attempt, NEW.change, NULL,
                            \(group(of: "NEW")), 0, 0, 0);
                    END
                    """),
            SQL(
                stringLiteral: """
                    CREATE TRIGGER history_of_updates AFTER UPDATE ON jobs
                    WHEN OLD.state <> NEW.state OR OLD.run <> NEW.run BEGIN
                        INSERT INTO history_log (\(columns)) VALUES (\(now), NEW.id, NEW.user_id, NEW.unique_key,
                            OLD.state, NEW.state, OLD.run, NEW.run, OLD.worker, NEW.worker, NEW.attempt,
                            NEW.change, \(group(of: "OLD")), \(group(of: "NEW")), NEW.deaths > OLD.deaths,
                            NEW.outage_at IS NOT OLD.outage_at, OLD.outage_at IS NOT NULL);
                    END
                    """),
            SQL(
                stringLiteral: """
                    CREATE TRIGGER history_of_deletions AFTER DELETE ON jobs BEGIN
                        INSERT INTO history_log (\(columns)) VALUES (\(now), OLD.id, OLD.user_id, OLD.unique_key,
                            OLD.state, 'deleted', OLD.run, OLD.run, OLD.worker, NULL, OLD.attempt, NULL,
                            \(group(of: "OLD")), NULL, 0, 0, 0);
                    END
                    """),
        ]
    }

    // MARK: Rows of long jobs and of ends

    /// `place` is the number of the last change before the row.
    private static func mark(_ sort: Record.Mark.Sort, _ event: String, of id: String, _ number: String, _ run: String)
        -> SQL
    {
        SQL(
            stringLiteral: """
                CREATE TRIGGER history_of_\(sort.rawValue) AFTER \(event) BEGIN
                    INSERT INTO history_marks (sort, id, number, run, place) VALUES ('\(sort.rawValue)', \(id),
                        \(number), \(run), IFNULL((SELECT MAX(seq) FROM history_log), 0));
                END
                """)
    }

    /// The ends that a history makes the database refuse: those of `diagnostics.steps`, and of lookups that failed or
    /// were cancelled. The result of a lookup that is running or has just succeeded writes the same columns.
    private static var markStatements: [SQL] {
        [
            """
            CREATE TABLE history_marks (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, sort TEXT NOT NULL, id TEXT NOT NULL, number BIGINT NOT NULL,
                run BIGINT NOT NULL, place BIGINT NOT NULL)
            """,
            mark(.taken, "INSERT ON diagnostic_steps", of: "NEW.job_id", "NEW.step", "NEW.run"),
            mark(.removed, "DELETE ON diagnostic_steps", of: "OLD.job_id", "OLD.step", "OLD.run"),
            mark(.pending, "INSERT ON job_ends", of: "NEW.job_id", "0", "0"),
            mark(.resolved, "DELETE ON job_ends", of: "OLD.job_id", "0", "0"),
            mark(
                .told, "UPDATE OF status ON concert_search_subjects WHEN NEW.status IS NOT NULL", of: "NEW.search_id",
                "NEW.rank", "0"),
            "CREATE TABLE history_switch (refuses_ends BIGINT NOT NULL)",
            "INSERT INTO history_switch (refuses_ends) VALUES (0)",
            """
            CREATE TRIGGER history_refuses_steps BEFORE DELETE ON diagnostic_steps
            WHEN (SELECT refuses_ends FROM history_switch) = 1 BEGIN
                SELECT RAISE(ABORT, 'the history refuses the ends of jobs');
            END
            """,
            """
            CREATE TRIGGER history_refuses_lookups BEFORE UPDATE OF status ON concert_search_subjects
            WHEN (SELECT refuses_ends FROM history_switch) = 1
                AND (SELECT state FROM jobs WHERE id = OLD.job_id) IN ('failed', 'cancelled') BEGIN
                SELECT RAISE(ABORT, 'the history refuses the ends of jobs');
            END
            """,
        ]
    }

    // MARK: Running searches

    private static let searchColumns = "at, search_id, user_id, is_running"

    private static var searchStatements: [SQL] {
        [
            """
            CREATE TABLE history_searches (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, at BIGINT NOT NULL, search_id TEXT NOT NULL,
                user_id TEXT NOT NULL, is_running BIGINT NOT NULL)
            """,
            searchTrigger("insertions", "INSERT ON concert_searches WHEN NEW.is_running = 1", of: "NEW", isRunning: 1),
            searchTrigger(
                "updates", "UPDATE ON concert_searches WHEN OLD.is_running <> NEW.is_running", of: "NEW",
                isRunning: "NEW.is_running"),
            searchTrigger("deletions", "DELETE ON concert_searches WHEN OLD.is_running = 1", of: "OLD", isRunning: 0),
        ]
    }

    private static func searchTrigger(
        _ name: String, _ event: String, of row: String, isRunning: some CustomStringConvertible
    ) -> SQL {
        SQL(
            stringLiteral: """
                CREATE TRIGGER history_of_search_\(name) AFTER \(event) BEGIN
                    INSERT INTO history_searches (\(searchColumns))
                    VALUES (\(now), \(row).id, \(row).user_id, \(isRunning));
                END
                """)
    }

    static func refuseEnds(_ isRefused: Bool, in database: Database) async throws {
        try await database.write { transaction in
            try transaction.run("UPDATE history_switch SET refuses_ends = \(isRefused ? 1 : 0)")
        }
    }

    // MARK: Reading

    static func changes(in reader: ReadTransaction) throws -> [Record.Change] {
        try reader.rows(
            """
            SELECT at, job_id, user_id, unique_key, old_state, state, old_run, run, old_worker, worker, attempt,
                change, old_group, crash_group, is_death, is_outage, had_outage
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
            change.number = try row["change"]
            change.oldGroup = try row["old_group"]
            change.group = try row["crash_group"]
            change.isDeath = try row["is_death"] as Int == 1
            change.isOutage = try row["is_outage"] as Int == 1
            change.hadOutage = try row["had_outage"] as Int == 1
            return change
        }
    }

    static func marks(in reader: ReadTransaction) throws -> [Record.Mark] {
        try reader.rows(
            """
            SELECT sort, id, number, run, (SELECT COUNT(*) FROM history_log WHERE seq <= place) AS place
            FROM history_marks ORDER BY seq
            """
        ).compactMap { row in
            guard let sort = Record.Mark.Sort(rawValue: try row["sort"]) else { return nil }
            return Record.Mark(
                sort, of: try row["id"], number: try row["number"], run: try row["run"], place: try row["place"])
        }
    }

    static func searchChanges(in reader: ReadTransaction) throws -> [Record.SearchChange] {
        try reader.rows("SELECT at, search_id, user_id, is_running FROM history_searches ORDER BY seq").map { row in
            Record.SearchChange(
                try row["search_id"], userID: try row["user_id"], at: try row["at"],
                isRunning: try row["is_running"] as Int == 1)
        }
    }
}
