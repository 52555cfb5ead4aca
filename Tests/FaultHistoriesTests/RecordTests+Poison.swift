import Testing

@testable import FaultHistories

/// Jobs that kill their workers, and jobs that are set aside.
extension RecordTests {
    private typealias Sample = SampleRecord

    static let poison = [
        InvalidRecord("a job that kills worker after worker and is not set aside", .poison) { kill(&$0, times: 12) },
        InvalidRecord("poison though nothing was done to its workers", .poison) {
            $0.jobs["b"]?.state = "failed"
            $0.jobs["b"]?.errorCode = "poison"
            $0.jobs["b"]?.deathRuns = [1, 2]
        },
    ]

    /// Hands the job `b` out to the given number of workers, each of which runs only `b` and is then killed.
    private static func kill(_ record: inout Record, times: Int) {
        var job = Sample.jobs[1]
        job.killsAfter = 0
        record.requests[1].purpose = .submit([job])
        for number in 0..<times {
            let at = 300 + number * 10
            var handOut = Sample.change("b", at: at, "queued", "running", run: 3 + number)
            (handOut.worker, handOut.oldGroup, handOut.group) = ("third/\(number)", "b/1", "b/1")
            var release = Sample.change("b", at: at + 5, "running", "queued", run: 3 + number)
            (release.oldWorker, release.oldGroup, release.group) = ("third/\(number)", "b/1", "b/\(3 + number)")
            release.isDeath = true
            record.changes += [handOut, release]
            record.interruptions.append(.init(.killed, "third", at: at + 2))
        }
    }

    /// Changes of twelve deaths after which the job need not be set aside.
    static let excusedSurvivals = [
        RecordChange("the last of them sets it aside") { $0.changes[$0.changes.count - 1].to = "failed" },
        RecordChange("at one of them the gateway was away") { $0.changes[$0.changes.count - 1].isOutage = true },
        RecordChange("one was nobody's death") { $0.changes[$0.changes.count - 1].isDeath = false },
        RecordChange("at one it was not under suspicion yet") { $0.changes[$0.changes.count - 2].group = nil },
        RecordChange("to one worker nothing was done") { $0.interruptions.removeLast() },
        RecordChange("another job ran there once") {
            let place = $0.changes.count - 1
            var other = Sample.change("x", at: 400, "", "running", run: 1)
            other.worker = $0.changes[place].oldWorker
            $0.changes.insert(other, at: place)
        },
        RecordChange("it was requeued in between") {
            let place = $0.changes.count - 10
            $0.changes.insert(Sample.change("b", at: 350, "failed", "queued", run: 3), at: place)
        },
    ]

    @Test("Only its own deaths since its last requeue make a job poison", arguments: excusedSurvivals)
    func deathsSinceTheLastRequeue(_ excuse: RecordChange) {
        var record = Sample.good
        Self.kill(&record, times: 12)
        #expect(record.violations.contains { $0.rule == .poison })
        excuse.change(&record)
        #expect(!record.violations.contains { $0.rule == .poison })
    }
}
