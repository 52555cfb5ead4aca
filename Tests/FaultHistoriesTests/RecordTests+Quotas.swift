import Testing

@testable import FaultHistories

/// Quotas that are exceeded, and refusals that they do not explain.
extension RecordTests {
    private typealias Sample = SampleRecord

    static let quotas = [
        InvalidRecord("more running searches than the quota", .quotas) {
            $0.maximumRunningSearches = 1
            $0.searchChanges.insert(.init("t", at: 120, isRunning: true), at: 1)
        },
        InvalidRecord("more unfinished jobs than the quota", .quotas) { $0.maximumUnfinishedJobs = 2 },
        InvalidRecord("a requeued job above the quota", .quotas) {
            $0.maximumUnfinishedJobs = 3
            $0.changes.insert(Sample.change("e", at: 5, "failed", "queued", run: 1), at: 3)
            $0.jobs["e"] = Record.Job(id: "e", state: "queued", run: 1, payload: "{}")
        },
        InvalidRecord("more bytes of unfinished jobs than the quota", .quotas) {
            $0.maximumUnfinishedBytes = Sample.jobs[0...2].reduce(-1) { $0 + $1.payload.utf8.count }
        },
        InvalidRecord("a job that is refused though its bytes have room", .quotas) {
            $0.maximumUnfinishedBytes = Sample.jobs[0...2].reduce(0) { $0 + $1.payload.utf8.count }
            refuse(.submit([Sample.job(9)]), from: 30, to: 70, in: &$0)
        },
        InvalidRecord("a requeueing that is refused though its bytes have room", .quotas) {
            $0.maximumUnfinishedBytes = Sample.jobs[0...2].reduce(0) { $0 + $1.payload.utf8.count }
            refuse(.requeue(jobID: "a"), from: 30, to: 70, in: &$0)
        },
        InvalidRecord("a search that is refused before the quota is reached", .quotas) {
            $0.maximumRunningSearches = 2
            refuse(.search, from: 110, to: 120, in: &$0)
        },
        InvalidRecord("a search that is refused after the others have ended", .quotas) {
            $0.maximumRunningSearches = 1
            refuse(.search, from: 150, to: 160, in: &$0)
        },
        InvalidRecord("a search that is refused for those of another person", .quotas) {
            $0.maximumRunningSearches = 1
            refuse(.search, from: 110, to: 120, by: "other", in: &$0)
        },
        InvalidRecord("a job that is refused when others have ended", .quotas) {
            $0.maximumUnfinishedJobs = 3
            refuse(.submit([Sample.job(9)]), from: 30, to: 70, in: &$0)
        },
        InvalidRecord("a batch that is refused though it has room", .quotas) {
            $0.maximumUnfinishedJobs = 3
            refuse(.submit([Sample.job(9), Sample.job(10)]), from: 30, to: 70, in: &$0)
        },
        InvalidRecord("a requeueing that is refused when others have ended", .quotas) {
            $0.maximumUnfinishedJobs = 3
            refuse(.requeue(jobID: "a"), from: 30, to: 70, in: &$0)
        },
        InvalidRecord("a cancelling that is refused", .quotas) {
            $0.maximumUnfinishedJobs = 3
            refuse(.cancel(jobID: "b"), from: 0, to: 5, in: &$0)
        },
        InvalidRecord("a refused job that is in the table", .uniqueness) {
            $0.maximumUnfinishedJobs = 3
            $0.requests[0].answer = .refused(status: 429, code: "quotaReached")
        },
        InvalidRecord("a refused search that is in the table", .quotas) {
            $0.maximumRunningSearches = 1
            $0.requests[4].answer = .refused(status: 429, code: "quotaReached")
        },
        InvalidRecord("a repeated request that is refused after it was accepted", .quotas) {
            $0.maximumUnfinishedJobs = 3
            var job = Sample.jobs[0]
            job.isIdempotent = true
            $0.requests[0].purpose = .submit([job])
            refuse(.submit([job]), from: 0, to: 5, in: &$0)
        },
    ]

    /// Adds a request that a quota refused, between the two times.
    private static func refuse(
        _ purpose: Record.Request.Purpose, from sent: Int, to answered: Int, by userID: String = "user",
        in record: inout Record
    ) {
        var request = Record.Request(purpose, sentAt: 20)
        request.answeredAt = 21
        request.answer = .refused(status: 429, code: "quotaReached")
        (request.userID, request.sentTime, request.answeredTime) = (userID, sent, answered)
        record.requests.append(request)
    }

    /// The search of the sample runs from 100 to 140, and the three jobs that are unfinished together from 0 to 10.
    @Test(
        "A refusal is right if the quota was reached at some moment from the request to its answer",
        arguments: [(90, 105), (110, 120), (130, 200), (139, 141), (0, 1_000), (140, 150)])
    func explainedRefusals(_ sent: Int, _ answered: Int) {
        var record = Sample.good
        record.maximumRunningSearches = 1
        Self.refuse(.search, from: sent, to: answered, in: &record)
        #expect(record.violations == [])
    }

    @Test("Reaching a quota exactly is not a violation, and a batch that would exceed it is refused as a whole")
    func quotaReachedExactly() {
        var record = Sample.good
        (record.maximumRunningSearches, record.maximumUnfinishedJobs) = (1, 3)
        #expect(record.violations == [])
        Self.refuse(.submit([Sample.job(9), Sample.job(10), Sample.job(11)]), from: 30, to: 70, in: &record)
        Self.refuse(.requeue(jobID: "a"), from: 2, to: 8, in: &record)
        #expect(record.violations == [])
        // The bytes alone explain these refusals.
        record.maximumUnfinishedJobs = 10_000
        record.maximumUnfinishedBytes = Sample.jobs[0...2].reduce(0) { $0 + $1.payload.utf8.count }
        #expect(record.violations == [])
    }

    @Test("An idempotent request that a quota refused may be accepted later, once")
    func acceptedLater() {
        var record = Sample.good
        record.maximumUnfinishedJobs = 3
        var job = Sample.jobs[3]
        job.isIdempotent = true
        record.requests[3].purpose = .submit([job])
        Self.refuse(.submit([job]), from: 0, to: 5, in: &record)
        let refused = record.requests.removeLast()
        record.requests.insert(refused, at: 3)
        record.requests[3].sentAt = 0
        record.requests[3].answeredAt = 1
        #expect(record.violations == [])
    }
}
