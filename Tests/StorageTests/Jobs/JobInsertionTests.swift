import Model
import Storage
import TestSupport
import Testing

@Suite("New jobs")
struct JobInsertionTests {
    /// Every column that a new row sets, as text.
    private static let row: SQL =
        """
        SELECT id || ' ' || user_id || ' ' || kind || ' ' || version || ' ' || payload || ' ' || state || ' ' || priority
            || ' ' || run || ' ' || attempt || ' ' || maximum_attempts || ' ' || created_at || ' ' || run_at || ' '
            || COALESCE(CAST(started_at AS TEXT), '-') || ' ' || COALESCE(worker, '-') || ' '
            || COALESCE(CAST(lease_expires_at AS TEXT), '-') || ' ' || COALESCE(unique_key, '-') || ' '
            || COALESCE(fingerprint, '-') || ' ' || COALESCE(trace, '-') || ' ' || change AS text
        FROM jobs ORDER BY change
        """

    private static let kinds: [@Sendable (Int) -> JobInsertion] = [
        { _ in .sample() },
        { .sample(claim: .init(worker: "w/\($0)", leaseExpiresAt: MonotonicInstant(microseconds: Int64($0)))) },
        { .sample(runAt: noon + .seconds($0 + 1)) },
        { .sample(userID: "other", uniqueKey: "key \($0)") },
        { .sample(trace: "trace \($0)") },
    ]

    @Test("many are inserted together as each is alone", arguments: [0, 1, 49, 50, 51, 120])
    func together(count: Int) async throws {
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

    @Test("when one of them cannot be inserted, none is")
    func none() async throws {
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
