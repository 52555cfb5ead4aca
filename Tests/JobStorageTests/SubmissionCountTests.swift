import Model
import Storage
import TestSupport
import Testing

@testable import JobStorage

@Suite("Counters of what people submitted")
struct SubmissionCountTests {
    private static let quotas = Quotas(unfinishedJobs: 3, unfinishedBytes: 100)

    /// The use of quotas, counted from the rows.
    private func counted(_ reader: some SQLReader, _ userID: String) throws -> SubmissionUse {
        let row = try reader.row(
            """
            SELECT COUNT(*) AS jobs, COALESCE(SUM(LENGTH(payload)), 0) AS bytes FROM jobs
            WHERE user_id = \(userID) AND submitted_bytes IS NOT NULL AND finished_at IS NULL
            """)
        return try row.map { SubmissionUse(jobs: try $0["jobs"], bytes: try $0["bytes"]) } ?? .zero
    }

    @Test("Counters agree with the rows after every transition and after rolled-back savepoints")
    func countersAfterTransitions() async throws {
        try await withDatabase { database, _ in
            var random = SeededRandom(seed: 17)
            var jobs: [(id: String, userID: String)] = []
            for step in 0..<Fuzzing.rounds(500, long: 1_500) {
                let userID = ["u", "v", "system"].randomElement(using: &random) ?? "u"
                let known = jobs.randomElement(using: &random)
                let choice = Int.random(in: 0..<13, using: &random)
                let fails = Int.random(in: 0..<12, using: &random) == 0
                let payload = String(repeating: "7", count: Int.random(in: 1...40, using: &random))
                let isSubmission = userID != "system" && Bool.random(using: &random)
                var inserted: [(id: String, userID: String)] = []
                let new = (0..<(choice == 0 ? 60 : 1)).map { _ in
                    JobInsertion.sample(
                        userID: userID,
                        claim: step.isMultiple(of: 3)
                            ? .init(worker: "w/1", leaseExpiresAt: MonotonicInstant(microseconds: 1)) : nil,
                        payload: payload, isSubmission: isSubmission)
                }
                do {
                    try await database.write { transaction in
                        if choice < 3 {
                            try transaction.jobs.insert(new)
                        } else if let known {
                            try Self.move(known.id, of: known.userID, choice, in: transaction)
                        }
                        if fails { throw UndoError() }
                    }
                    if choice < 3 { inserted = new.map { ($0.id, $0.userID) } }
                } catch is UndoError {}
                jobs += inserted
                if choice == 12 { jobs.removeAll { $0.id == known?.id } }
                for person in ["u", "v", "system"] {
                    let (use, rows) = try await database.read { reader in
                        (try reader.jobs.submissionUse(ofUser: person), try counted(reader, person))
                    }
                    #expect(use == rows, "\(person) after step \(step), \(choice)")
                    #expect(try await database.read { try $0.jobs.submissionCountError(ofUser: person) } == .zero)
                }
            }
            let left = try await database.read { try $0.jobs.submissionUse(ofUser: "u") }
            #expect(left.jobs > 0)
        }
    }

    /// Makes one of the transitions of jobs, if the job's state allows it.
    private static func move(
        _ id: String, of userID: String, _ choice: Int, in transaction: WriteTransaction
    ) throws {
        let row = try transaction.row("SELECT run FROM jobs WHERE id = \(id)")
        guard let current: Int64 = try row?["run"] else { return }
        let run = JobRun(jobID: id, run: current)
        let jobs = transaction.jobs
        switch choice {
        case 3, 4:
            _ = try jobs.claim(
                jobID: id, lastRun: current, worker: "w/1", leaseExpiresAt: MonotonicInstant(microseconds: 1),
                now: noon)
        case 5: _ = try jobs.succeed(run, userID: userID, kind: sampleKind, result: "1", now: noon)
        case 6:
            _ = try jobs.fail(run, userID: userID, kind: sampleKind, code: "c", message: "m", retryAt: nil, now: noon)
        case 7:
            _ = try jobs.fail(run, userID: userID, kind: sampleKind, code: "c", message: "m", retryAt: noon, now: noon)
        case 8: _ = try jobs.release(run, afterCrash: true)
        case 9:
            _ = try jobs.postpone(run, userID: userID, kind: sampleKind, until: noon)
            _ = try jobs.makeDue(jobID: id)
        case 10: _ = try jobs.cancel(jobID: id, userID: userID, now: noon)
        case 11: _ = try jobs.requeue(jobID: id, userID: userID, now: noon)
        default: try jobs.eraseJob(id: id)
        }
    }

    @Test("A transaction's own submissions count for its quota, and rolled-back ones do not")
    func withinATransaction() async throws {
        try await withDatabase { database, _ in
            @Sendable func submission(_ payload: String = "{}") -> JobInsertion {
                .sample(payload: payload, isSubmission: true)
            }
            try await database.write { transaction in
                let jobs = transaction.jobs
                let many = (0..<4).map { _ in submission() }
                #expect(
                    try jobs.quotaReached(by: many, userID: "u", quotas: Self.quotas)
                        == QuotaReached(.unfinishedJobs, limit: 3, used: 0, asked: 4))
                #expect(try jobs.quotaReached(by: many[..<3], userID: "u", quotas: Self.quotas) == nil)
                try jobs.insert(Array(many[..<2]))
                #expect(try jobs.quotaReached(by: many[..<1], userID: "u", quotas: Self.quotas) == nil)
                #expect(
                    try jobs.quotaReached(by: many[..<2], userID: "u", quotas: Self.quotas)
                        == QuotaReached(.unfinishedJobs, limit: 3, used: 2, asked: 2))
                let large = submission(String(repeating: "é", count: 60))
                #expect(
                    try jobs.quotaReached(by: [large], userID: "u", quotas: Self.quotas)
                        == QuotaReached(.unfinishedBytes, limit: 100, used: 4, asked: 120))
                // These are another person's job, and one that no person submitted.
                #expect(try jobs.quotaReached(by: many[..<3], userID: "v", quotas: Self.quotas) == nil)
                #expect(
                    try jobs.quotaReached(
                        by: (0..<9).map { _ in JobInsertion.sample() }, userID: "u", quotas: Self.quotas) == nil)
                #expect(
                    try jobs.quotaReached(
                        by: many, userID: "u", quotas: Quotas(unfinishedJobs: nil, unfinishedBytes: nil)) == nil)
            }
            try? await database.write { transaction in
                try transaction.jobs.insert(submission())
                throw UndoError()
            }
            let third = try await database.write {
                try $0.jobs.quotaReached(by: [submission()], userID: "u", quotas: Self.quotas)
            }
            #expect(third == nil)
        }
    }

    @Test("A requeued dead letter counts again, if a person submitted it")
    func requeuedDeadLetter() async throws {
        try await withDatabase { database, _ in
            let theirs = try await database.makeJob(.sample(isSubmission: true), in: .failed)
            let other = try await database.makeJob(.sample(), in: .failed)
            #expect(try await database.read { try $0.jobs.submissionUse(ofUser: "u") } == .zero)
            try await database.write { transaction in
                let full = Quotas(unfinishedJobs: 0, unfinishedBytes: nil)
                let reached = try transaction.jobs.quotaReached(
                    byRequeueing: theirs.jobID, userID: "u", quotas: full)
                #expect(reached == QuotaReached(.unfinishedJobs, limit: 0, used: 0, asked: 1))
                #expect(try transaction.jobs.quotaReached(byRequeueing: other.jobID, userID: "u", quotas: full) == nil)
                #expect(try transaction.jobs.quotaReached(byRequeueing: theirs.jobID, userID: "v", quotas: full) == nil)
                #expect(try transaction.jobs.requeue(jobID: theirs.jobID, userID: "u", now: noon))
                #expect(try transaction.jobs.requeue(jobID: other.jobID, userID: "u", now: noon))
            }
            #expect(
                try await database.read { try $0.jobs.submissionUse(ofUser: "u") } == SubmissionUse(jobs: 1, bytes: 2))
        }
    }

    @Test("A person without jobs has no counter")
    func personWithoutJobs() async throws {
        try await withDatabase { database, _ in
            let run = try await database.makeJob(.sample(isSubmission: true), in: .running)
            try await database.write { try $0.jobs.eraseSubmissionCounts(ofUser: "u") }
            #expect(try await database.read { try $0.jobs.submitters() } == ["u"])
            try await database.write { try $0.jobs.eraseJob(id: run.jobID) }
            #expect(try await database.read { try $0.jobs.hasOnlySubmissionCounts(userID: "u") })
            try await database.write { try $0.jobs.eraseSubmissionCounts(ofUser: "u") }
            #expect(try await database.read { try $0.jobs.submitters() } == [])
        }
    }
}

private struct UndoError: Error {}
