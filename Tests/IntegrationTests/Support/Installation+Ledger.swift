import JobStorage
import Model
import Storage
import TestProcesses
import TestSupport
import Testing

/// The row of one job, with columns that the API does not show.
struct StoredJob: Sendable, Equatable {
    var state: String
    /// The run number, which increases with each assignment.
    var run: Int
    var attempt: Int
    /// The instance of the worker that had it last.
    var worker: String?
    var isSuspect: Bool
    var crashes: Int
    var change: Int
}

extension Installation {
    /// All jobs by id, from the table.
    func storedJobs() async throws -> [String: StoredJob] {
        try await withDatabase { database in
            try await database.read { reader in
                var entries: [String: StoredJob] = [:]
                for row in try reader.rows(
                    "SELECT id, state, run, attempt, worker, is_suspect, crashes, change FROM jobs")
                {
                    entries[try row["id"]] = StoredJob(
                        state: try row["state"], run: try row["run"], attempt: try row["attempt"],
                        worker: try row["worker"], isSuspect: try row["is_suspect"], crashes: try row["crashes"],
                        change: try row["change"])
                }
                return entries
            }
        }
    }

    /// The number of stored failed attempts of all jobs.
    func failedAttempts() async throws -> Int {
        try await withDatabase { database in
            try await database.read { try $0.row("SELECT COUNT(*) AS count FROM job_attempts")?["count"] ?? 0 }
        }
    }

    /// Compares the counters with the rows that they count.
    func expectTrueCounters(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (counted, found) = try await withDatabase { database in
            try await database.read { reader in
                (
                    try reader.rows("SELECT user_id, state, count FROM job_counts WHERE count <> 0").map(Self.count),
                    try reader.rows("SELECT user_id, state, COUNT(*) AS count FROM jobs GROUP BY user_id, state").map(
                        Self.count)
                )
            }
        }
        #expect(Set(counted) == Set(found), sourceLocation: sourceLocation)
        let (countedKinds, foundKinds) = try await withDatabase { database in
            try await database.read { reader in
                (
                    try reader.rows("SELECT kind, state, count FROM job_kind_counts WHERE count <> 0")
                        .map(Self.kindCount),
                    try reader.rows("SELECT kind, state, COUNT(*) AS count FROM jobs GROUP BY kind, state")
                        .map(Self.kindCount)
                )
            }
        }
        #expect(Set(countedKinds) == Set(foundKinds), sourceLocation: sourceLocation)
    }

    private static func kindCount(_ row: Row) throws -> String {
        "\(try row["kind"] as String) \(try row["state"] as String) \(try row["count"] as Int)"
    }

    private static func count(_ row: Row) throws -> String {
        "\(try row["user_id"] as String) \(try row["state"] as String) \(try row["count"] as Int)"
    }
}

extension Installation {
    /// Waits for a job's next assignment: its number and its worker's instance; `nil` if the job ends instead.
    func nextRun(ofJob id: String, after run: Int) async throws -> (run: Int, instance: String)? {
        try await eventually("the next run of job \(id)") { () -> (run: Int, instance: String)?? in
            guard let entry = try await storedJobs()[id] else { return nil }
            switch entry.state {
            case "running" where entry.run > run: return (entry.run, entry.worker ?? "")
            case "succeeded", "failed", "cancelled": return .some(nil)
            default: return nil
            }
        }
    }

    /// Waits until all of these jobs have been handed out, and returns to which workers' instances.
    func instances(ofJobs ids: [String]) async throws -> Set<String> {
        try await eventually("all jobs to be handed out") {
            let storedJobs = try await storedJobs()
            let instances = ids.compactMap { storedJobs[$0]?.worker }
            return instances.count == ids.count ? Set(instances) : nil
        }
    }

    /// Waits until a recurring schedule has had the given number of next times, and returns them.
    func nextTimes(ofSchedule name: String, count: Int) async throws -> [Int] {
        var times: [Int] = []
        try await eventually("\(count) times of the schedule \(name)") {
            let next: Int? = try await withDatabase { database in
                try await database.read { try $0.row("SELECT next_at FROM schedules WHERE name = \(name)")?["next_at"] }
            }
            if let next, times.last != next { times.append(next) }
            return times.count >= count
        }
        return times
    }
}

extension Installation {
    /// Stops a process at a moment when it does not hold the write lock, since otherwise nobody else could take it.
    func pauseOutsideWrites(_ process: ChildProcess) async throws {
        try await eventually("\(process.name) to be stopped outside a write") {
            process.pause()
            try await eventually("\(process.name) to stop") { process.isStopped }
            let write = try await withDatabase { database in
                try? await database.write { try $0.execute("UPDATE change_sequence SET value = value") }
            }
            if write == nil { process.resume() }
            return write != nil
        }
    }

    /// Inserts a queued job of a kind or version that only a later version of Backline has.
    ///
    /// - Parameter template: a job whose user and payload it shares.
    func insertJob(id: String, kind: String, version: Int, like template: String) async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let row = try transaction.row("SELECT user_id, payload FROM jobs WHERE id = \(template)")
                guard let row else { return }
                let now = Timestamp.now()
                try transaction.jobs.insert(
                    JobInsertion(
                        id: id, userID: try row["user_id"], kind: kind, version: version, payload: try row["payload"],
                        priority: 0, maximumAttempts: 5, createdAt: now, runAt: now))
            }
        }
    }

    /// Puts a queued job of a person into the table, with the priority that Backline gives to jobs for which somebody
    /// waits at a screen. Returns its id.
    func insertInteractiveJob(_ n: Int, of person: APIClient) async throws -> String {
        let id = UUIDv7.next()
        guard let userID = try await person.get("/v1/me").decode(JSON.self)["id"]?.text else {
            throw UnexpectedAnswer(description: "a profile without an id")
        }
        try await withDatabase { database in
            let now = Timestamp.now()
            let job = JobInsertion(
                id: id, userID: userID, kind: "diagnostics.echo", version: 1, payload: #"{"n":\#(n)}"#, priority: 10,
                maximumAttempts: 5, createdAt: now, runAt: now)
            try await database.write { try $0.jobs.insert(job) }
        }
        return id
    }
}
