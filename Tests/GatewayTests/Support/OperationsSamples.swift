import Contracts
import JobStorage
import Jobs
import Model
import Storage

@testable import Gateway

extension TestGateway {
    /// Inserts a job that has failed for good; returns its id.
    @discardableResult
    func makeDeadLetter(of userID: String = "system", kind: String = "diagnostics.echo") async throws -> String {
        let now = Timestamp.now()
        let job = JobInsertion(
            id: UUIDv7.next(), userID: userID, kind: kind, version: 1, payload: "{}", priority: 0, maximumAttempts: 1,
            createdAt: now, runAt: now,
            claim: .init(worker: "w/1", leaseExpiresAt: MonotonicInstant.now().advanced(by: .seconds(10))))
        try await database.write { transaction in
            try transaction.jobs.insert(job)
            _ = try transaction.jobs.fail(
                JobRun(jobID: job.id, run: 1), userID: userID, kind: kind, code: "broken", message: "It broke.",
                retryAt: nil, now: now)
        }
        return job.id
    }
}

extension WorkerSummary {
    static let sample = WorkerSummary(
        introduction: WorkerIntroduction(
            name: "w-1", instance: "w-1/1", processID: 7, version: "1.2.3", capacity: 4,
            kinds: [KindVersion(kind: "b", version: 1), KindVersion(kind: "a", version: 1)]),
        connectedAt: MonotonicInstant(microseconds: 1_000_000), lastHeard: MonotonicInstant(microseconds: 9_500_000),
        held: 1, free: 3, isDraining: false,
        jobs: [.init(id: "j", kind: "a", run: 2, handedAt: MonotonicInstant(microseconds: 8_000_000))])
}

extension SeriesRecorder.Sample {
    static let sample = SeriesRecorder.Sample(
        at: .now(), finished: 3, failed: 1, dispatch: nil, run: .init(p50: 1.5, p99: 20), queueAgeSeconds: 0.25,
        permitsFree: 1, permitsBusy: 2, workers: 1)
}

extension JSONWriter {
    static func value(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        body(&writer)
        return writer.bytes
    }
}
