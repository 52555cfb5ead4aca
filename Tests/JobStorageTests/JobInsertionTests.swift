import Model
import Storage
import TestSupport
import Testing

@testable import JobStorage

@Suite("New jobs")
struct JobInsertionTests {
    /// All columns of a new row as text.
    private static let row: SQL =
        """
        SELECT id || ' ' || user_id || ' ' || kind || ' ' || version || ' ' || payload || ' ' || state
            || ' ' || priority || ' ' || run || ' ' || attempt || ' ' || maximum_attempts
            || ' ' || created_at || ' ' || run_at || ' '
            || COALESCE(CAST(started_at AS TEXT), '-') || ' ' || COALESCE(worker, '-') || ' '
            || COALESCE(CAST(lease_expires_at AS TEXT), '-') || ' ' || COALESCE(unique_key, '-') || ' '
            || COALESCE(fingerprint, '-') || ' ' || COALESCE(trace, '-') || ' '
            || is_ephemeral || ' ' || COALESCE(on_behalf_of, '-') || ' '
            || COALESCE(CAST(submitted_bytes AS TEXT), '-') || ' ' || change AS text
        FROM jobs ORDER BY change
        """

    private static let kinds: [@Sendable (Int) -> JobInsertion] = [
        { _ in .sample() },
        { .sample(claim: .init(worker: "w/\($0)", leaseExpiresAt: MonotonicInstant(microseconds: Int64($0)))) },
        { .sample(runAt: noon + .seconds($0 + 1)) },
        { .sample(userID: "other", uniqueKey: "key \($0)") },
        { .sample(trace: "trace \($0)") },
        { .sample(userID: "system", onBehalfOf: "person \($0)") },
        { .sample(payload: "\"\($0)\"", isSubmission: true) },
    ]

    @Test("Rows inserted together equal rows inserted one by one", arguments: [0, 1, 49, 50, 51, 120])
    func insertionInOneBatch(count: Int) async throws {
        let jobs = (0..<count).map { Self.kinds[$0 % Self.kinds.count]($0) }
        func rows(_ insert: @escaping @Sendable (WriteTransaction) throws -> Void) async throws -> (
            [String], [JobState: Int]
        ) {
            try await withDatabase { database, _ in
                try await database.write(insert)
                return try await database.read { reader in
                    (try reader.rows(Self.row).map { try $0["text"] }, try reader.jobs.jobCounts(userID: "u"))
                }
            }
        }
        let together = try await rows { try $0.jobs.insert(jobs) }
        let alone = try await rows { transaction in
            for job in jobs { try transaction.jobs.insert(job) }
        }
        #expect(together.0.count == count)
        #expect(together.0 == alone.0)
        #expect(together.1 == alone.1)
    }

    @Test("Every query returns the person for whom a job is, which is nil for the owner")
    func personOfAJob() async throws {
        try await withDatabase { database, _ in
            let (own, theirs) = (
                JobInsertion.sample(onBehalfOf: "u"), JobInsertion.sample(userID: "system", onBehalfOf: "ada")
            )
            #expect(own.onBehalfOf == nil)
            try await database.write { try $0.jobs.insert([own, theirs]) }
            let waiting = try await database.read { try $0.jobs.waitingJobs(changedAfter: 0, limit: 9) }
            #expect(waiting.map(\.onBehalfOf) == [nil, "ada"])
            try await database.write { transaction in
                let claimed = try transaction.jobs.claim(
                    jobID: theirs.id, lastRun: 0, worker: "w/1", leaseExpiresAt: .now(), now: noon)
                #expect(claimed?.userID == "system" && claimed?.onBehalfOf == "ada")
            }
            let running = try await database.read { try $0.jobs.runningJobs() }
            #expect(running.map(\.onBehalfOf) == ["ada"])
        }
    }

    @Test("An unfinished job can be moved to another person or to its owner")
    func otherPerson() async throws {
        try await withDatabase { database, _ in
            let ids = (0..<3).map { _ in UUIDv7.next() }
            try await database.write { transaction in
                for id in ids { try transaction.jobs.insert(.sample(id: id, userID: "system", onBehalfOf: "ada")) }
                _ = try transaction.jobs.cancel(jobID: ids[2], userID: "system", now: noon)
            }
            let before = try await database.read { try $0.lastChange() }
            try await database.write { transaction in
                for (id, person) in zip(ids, ["bob", "system", "bob"]) {
                    try transaction.jobs.setPerson(person, ofJob: id)
                }
            }
            let changed = try await database.read { try $0.jobs.waitingJobs(changedAfter: before, limit: 9) }
            #expect(changed.map(\.id) == Array(ids[..<2]) && changed.map(\.onBehalfOf) == ["bob", nil])
            let ended = try await database.read {
                try $0.row("SELECT on_behalf_of FROM jobs WHERE id = \(ids[2])")?["on_behalf_of"] as String?
            }
            #expect(ended == "ada")
        }
    }

    @Test("Jobs that queue under their owner again are found page by page")
    func forgottenPerson() async throws {
        try await withDatabase { database, _ in
            let jobs = (0..<3).map { _ in JobInsertion.sample(userID: "system", onBehalfOf: "ada") }
            try await database.write { try $0.jobs.insert(jobs) }
            var change = try await database.read { try $0.lastChange() }
            try await database.write { try $0.jobs.forgetPerson("ada", ofJobs: jobs.map(\.id)) }
            var found: [String] = []
            for _ in jobs {
                let page = try await database.read { [change] in
                    try $0.jobs.waitingJobs(changedAfter: change, limit: 1)
                }
                let job = try #require(page.first)
                #expect(job.onBehalfOf == nil)
                found.append(job.id)
                change = job.change
            }
            #expect(found == jobs.map(\.id))
        }
    }

    @Test("If one of them cannot be inserted, none is")
    func refusedInsertion() async throws {
        try await withDatabase { database, _ in
            let jobs = (0..<120).map { _ in JobInsertion.sample() }
            await #expect(throws: StorageError.self) {
                try await database.write { try $0.jobs.insert(jobs + [jobs[70]]) }
            }
            await #expect(throws: StorageError.self) {
                try await database.write { try $0.jobs.insert(jobs[..<60] + [jobs[3]] + jobs[60...]) }
            }
            let (rows, counts) = try await database.read { (try $0.rows(Self.row), try $0.jobs.jobCounts(userID: "u")) }
            #expect(rows.isEmpty && counts.isEmpty)
        }
    }
}
