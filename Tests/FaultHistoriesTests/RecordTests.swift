import Testing

@testable import FaultHistories

@Suite("Rules of a history's record")
struct RecordTests {
    private typealias Sample = SampleRecord

    @Test("A correct record has no violation")
    func correctRecord() {
        #expect(Sample.good.violations == [])
    }

    /// An error in the record, and the rule that it breaks.
    struct InvalidRecord: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rule: Violation.Rule
        var injectFault: @Sendable (inout Record) -> Void

        init(_ description: String, _ rule: Violation.Rule, _ injectFault: @escaping @Sendable (inout Record) -> Void) {
            testDescription = description
            self.rule = rule
            self.injectFault = injectFault
        }
    }

    static let ends = [
        InvalidRecord("an accepted job that does not exist", .acceptedEnds) {
            $0.jobs["a"] = nil
            $0.changes.removeAll { $0.jobID == "a" }
            $0.endedRuns.removeAll { $0.jobID == "a" }
        },
        InvalidRecord("an accepted job that still waits", .acceptedEnds) {
            $0.changes.removeAll { $0.jobID == "c" && $0.to == "cancelled" }
            $0.requests.removeLast()
            $0.jobs["c"] = Record.Job(id: "c", state: "queued", run: 0, payload: Sample.jobs[2].payload)
            $0.shown["c"] = "queued"
        },
        InvalidRecord("a requeueing that was answered and left no trace", .acceptedEnds) {
            $0.requests.append(Sample.request(.requeue(jobID: "a"), at: 20, ids: ["a"]))
        },
        InvalidRecord("a search that does not exist", .acceptedEnds) { $0.searches[0].state = nil },
        InvalidRecord("a search that runs forever", .acceptedEnds) {
            $0.searches[0] = .init(id: "s", state: "running", open: 1)
        },
        InvalidRecord("a wait that was given up", .acceptedEnds) { $0.unended = ["the job a waits"] },
        InvalidRecord("a process that crashed", .processesLive) { $0.crashes = ["the gateway ended by itself"] },
    ]

    static let shares = [
        InvalidRecord("a share that was lost", .shares) { $0.shares[1] = share(ids: ["s1"], listed: 0) },
        InvalidRecord("a share that is there twice", .shares) { $0.shares[1] = share(ids: ["s1", "s2"], listed: 2) },
        InvalidRecord("a share that no answer named", .shares) { $0.unexplainedShares = ["s3"] },
        InvalidRecord("a share that was refused", .shares) { record in
            record.shares[1] = share(ids: ["s1"], listed: 1)
            record.shares[1]?.refusals = [409]
        },
        InvalidRecord("a share that nobody took back and that is gone", .shares) { record in
            record.shares[1] = share(ids: ["s1"], listed: 0)
            record.shares[1]?.wasGone = true
        },
        InvalidRecord("a share that was taken back and is there", .shares) { record in
            record.shares[1] = share(ids: ["s1"], listed: 1)
            record.shares[1]?.wasGone = true
            record.shares[1]?.isTakenBack = true
        },
    ]

    private static func share(ids: Set<String>, listed: Int) -> Record.Share {
        var share = Record.Share(user: 1)
        (share.ids, share.listed) = (ids, listed)
        return share
    }

    static let once = [
        InvalidRecord("a job that ends twice", .endsOnce) {
            $0.changes.append(Sample.change("a", at: 90, "succeeded", "succeeded", run: 1))
        },
        InvalidRecord("a job that runs after its success", .endsOnce) {
            $0.changes.append(Sample.change("a", at: 90, "succeeded", "running", run: 2))
        },
        InvalidRecord("a hand-out that leaves a number out", .endsOnce) {
            $0.changes[7].run = 3
            $0.changes[8].run = 3
            $0.changes[8].oldRun = 3
        },
        InvalidRecord("an attempt that is counted twice", .endsOnce) { $0.jobs["b"]?.attempt = 2 },
        InvalidRecord("a failure on record that never was", .endsOnce) { $0.jobs["a"]?.attempts = ["failedAsAsked"] },
        InvalidRecord("a result that is not the payload", .resultAgrees) { $0.jobs["a"]?.result = "{}" },
        InvalidRecord("a success without a result", .resultAgrees) { $0.jobs["a"]?.result = nil },
        InvalidRecord("an end with a lease", .resultAgrees) { $0.jobs["a"]?.hasLease = true },
        InvalidRecord("an end without its time", .resultAgrees) { $0.jobs["c"]?.hasEnd = false },
        InvalidRecord("a job that is shown otherwise", .resultAgrees) { $0.shown["a"] = "running" },
        InvalidRecord("an answer that names another job", .resultAgrees) {
            $0.requests[0].answer = .accepted(["b"])
            $0.requests[1].answer = .accepted(["a"])
        },
        InvalidRecord("counters that are wrong", .resultAgrees) { $0.falseCounters = ["counters and rows disagree"] },
        InvalidRecord("a row that no change explains", .resultAgrees) {
            $0.changes.removeAll { $0.jobID == "a" && $0.to == "succeeded" }
            $0.endedRuns.removeFirst()
        },
        InvalidRecord("poison after a single death", .resultAgrees) {
            $0.changes[3].to = "failed"
            $0.endedRuns.removeFirst()
            $0.jobs["a"]?.state = "failed"
            $0.jobs["a"]?.result = nil
            $0.jobs["a"]?.errorCode = "poison"
            $0.jobs["a"]?.attempts = ["poison"]
            $0.shown["a"] = "failed"
        },
    ]

    static let runs = [
        InvalidRecord("a stale run whose worker wrote its end", .noStaleCompletion) {
            $0.endedRuns[1].outcome = "succeeded"
        },
        InvalidRecord("an end of a run that another worker had", .noStaleCompletion) {
            $0.endedRuns[2].worker = "first"
        },
        InvalidRecord("a run that ended before its sleep was over", .noStaleCompletion) { $0.changes[8].at = 60 },
        InvalidRecord("a cancelled job that is handed out", .cancelledRests) {
            $0.changes.append(Sample.change("c", at: 90, "cancelled", "running", run: 1))
        },
        InvalidRecord("a cancelled job that was queued again", .cancelledRests) {
            $0.changes.append(Sample.change("c", at: 90, "cancelled", "queued", run: 0))
        },
        InvalidRecord("a cancelling that did not last", .cancelledRests) { $0.jobs["c"]?.state = "succeeded" },
        InvalidRecord("a cancelled run whose worker wrote its end", .cancelledRests) {
            $0.changes[8].to = "cancelled"
            $0.jobs["b"]?.state = "cancelled"
            $0.jobs["b"]?.result = nil
            $0.shown["b"] = "cancelled"
        },
    ]

    static let keys = [
        InvalidRecord("two unfinished jobs with one unique key", .uniqueness) {
            for index in $0.changes.indices where ["a", "b"].contains($0.changes[index].jobID) {
                $0.changes[index].uniqueKey = "key"
            }
        },
        InvalidRecord("more jobs than requests", .uniqueness) {
            $0.jobs["e"] = $0.jobs["a"]
            $0.jobs["e"]?.id = "e"
            $0.changes += [
                Sample.change("e", at: 1, "", "running", run: 1),
                Sample.change("e", at: 2, "running", "succeeded", run: 1),
            ]
        },
        InvalidRecord("two jobs of one idempotent request", .uniqueness) {
            var job = Sample.jobs[0]
            job.isIdempotent = true
            $0.requests[0].purpose = .submit([job])
            $0.requests.append(Sample.request(.submit([job]), at: 30, ids: ["c"]))
        },
        InvalidRecord("a later job that is handed out long before", .order) {
            $0.changes[1] = Sample.change("b", at: 0, "", "queued", run: 0)
            for index in 4...8 where $0.changes[index].jobID == "b" { $0.changes[index].at += 1_000 }
            $0.requests[1] = Sample.request(.submit([Sample.jobs[1]]), at: -2, ids: ["b"])
        },
        InvalidRecord("a request too many within a second", .permits) { $0.arrivals = [0, 10, 999_999] },
        InvalidRecord("a share that was made twice", .shares) {
            var share = Record.Share(user: 1)
            share.ids = ["a", "b"]
            share.listed = 2
            $0.shares[1] = share
        },
    ]

    @Test("Each error in a record is found", arguments: ends + once + runs + keys + long + shares)
    func invalidRecords(_ invalid: InvalidRecord) {
        var record = Sample.good
        invalid.injectFault(&record)
        let violations = record.violations
        #expect(violations.contains { $0.rule == invalid.rule }, "found instead: \(violations)")
    }

    @Test("Every rule has a record that breaks it")
    func everyRuleCanBeBroken() {
        let broken = Self.ends + Self.once + Self.runs + Self.keys + Self.long
        // The rules of edits, of people and of messages have tests of their own (``EditRecordTests``,
        // ``PersonDeviceTests``, ``MessageRecordTests``).
        let others: Set<Violation.Rule> = [
            .songsLost, .songsDoubled, .editOrder, .libraryAgrees, .peopleLists, .peopleAnswers, .devices, .changesOnce,
            .messagesOnce, .messageOrder,
        ]
        #expect(Set(broken.map(\.rule)) == Set(Violation.Rule.allCases).subtracting(others))
    }

    @Test("An order that a stopped process explains is not a violation")
    func disturbedOrder() {
        var record = Sample.good
        Self.keys[3].injectFault(&record)
        record.disturbances = [.init(from: 100, to: 500)]
        #expect(record.violations == [])
    }

    @Test("Arrivals exactly a second apart are not within one")
    func arrivalsASecondApart() {
        var record = Sample.good
        record.arrivals = [0, 10, 1_000_000, 1_000_010]
        #expect(record.violations == [])
    }

    @Test("A unique key is free again when its job has ended")
    func freedKey() {
        var record = Sample.good
        for index in record.changes.indices { record.changes[index].uniqueKey = "key" }
        record.changes.removeAll { $0.jobID == "c" }
        record.changes.removeFirst()
        record.changes.insert(SampleRecord.change("a", at: 0, "", "running", run: 1), at: 0)
        let second = record.changes.remove(at: 1)
        record.changes.insert(second, at: 2)
        #expect(record.violations.filter { $0.rule == .uniqueness } == [])
    }
}
