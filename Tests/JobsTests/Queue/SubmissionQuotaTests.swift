import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Quotas for what people submit", .timeLimit(.minutes(5)))
struct SubmissionQuotaTests {
    private func queue(_ engine: Engine, _ quotas: Quotas) -> JobQueue {
        JobQueue(
            database: engine.database, dispatcher: engine.queue.dispatcher, events: engine.queue.events, quotas: quotas)
    }

    private func submission(_ payload: String = "{}", uniqueKey: String? = nil) -> NewJob {
        var job = NewJob(kind: .test, payload: payload, uniqueKey: uniqueKey)
        job.isSubmission = true
        return job
    }

    @Test("A refused submission leaves no row and no reserved place, and Backline's own jobs are never refused")
    func refusedSubmission() async throws {
        try await Engine.run { engine in
            let queue = queue(engine, Quotas(unfinishedJobs: 2))
            engine.startWorker("w-1", handlers: [])
            _ = try await queue.submit([submission()], userID: "u")
            await #expect(throws: QuotaReached(.unfinishedJobs, limit: 2, used: 1, asked: 2)) {
                _ = try await queue.submit([submission(), submission()], userID: "u")
            }
            let key = JobQueue.IdempotencyKey(key: "k", fingerprint: "f")
            await #expect(throws: QuotaReached.self) {
                _ = try await queue.submit([submission(), submission()], userID: "u", idempotencyKey: key)
            }
            // Two jobs with one unique key are one job.
            _ = try await queue.submit(
                [submission(uniqueKey: "a"), submission(uniqueKey: "a")], userID: "u", idempotencyKey: key)
            await #expect(throws: QuotaReached.self) {
                _ = try await queue.submit([submission(uniqueKey: "b")], userID: "u")
            }
            #expect(try await queue.submit([submission(uniqueKey: "a")], userID: "u").inserted.isEmpty)
            _ = try await queue.submit((0..<9).map { _ in NewJob(kind: .test, payload: "{}") }, userID: "u")
            _ = try await queue.write { transaction, submissions in
                try submissions.submit(NewJob(kind: .test, payload: "{}"), userID: "u", in: transaction)
            }
            await #expect(throws: QuotaReached.self) {
                try await queue.write { [job = submission()] transaction, submissions in
                    try submissions.submit(job, userID: "u", in: transaction)
                }
            }
            let use = try await engine.database.read { try $0.jobs.submissionUse(ofUser: "u") }
            #expect(use == SubmissionUse(jobs: 2, bytes: 4))
            #expect(try await engine.counts().values.reduce(0, +) == 12)
        }
    }

    @Test("A wrong counter, as after a repaired database, is corrected")
    func correctedCounter() async throws {
        try await Engine.run { engine in
            let queue = queue(engine, Quotas())
            _ = try await queue.submit([submission("[1]"), submission("[22]")], userID: "u")
            _ = try await queue.submit([submission()], userID: "v")
            try await engine.database.write {
                try $0.run("UPDATE submission_counts SET jobs = 900, bytes = -7 WHERE user_id = 'u'")
            }
            try await queue.correctSubmissionCounts()
            let uses = try await engine.database.read { reader in
                try ["u", "v"].map { try reader.jobs.submissionUse(ofUser: $0) }
            }
            #expect(uses == [SubmissionUse(jobs: 2, bytes: 7), SubmissionUse(jobs: 1, bytes: 2)])
        }
    }

    @Test("A person's streams count until they end, and one beyond the limit is refused")
    func limitOfStreams() throws {
        let events = JobEvents()
        let first = try events.stream(userID: "u", limit: 2)
        do {
            _ = try events.stream(userID: "u", limit: 2)
        }
        let second = try events.stream(userID: "u", limit: 2)
        #expect(throws: QuotaReached(.eventStreams, limit: 2, used: 2, asked: 1)) {
            try events.stream(userID: "u", limit: 2)
        }
        _ = try events.stream(userID: "v", limit: 2)
        #expect(events.openStreams(ofUser: "u") == 2 && events.openStreams(ofUser: "v") == 0)
        first.close()
        #expect(events.openStreams(ofUser: "u") == 1)
        _ = try events.stream(userID: "u", limit: nil)
        withExtendedLifetime(second) {}
    }
}
