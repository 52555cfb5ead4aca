import Testing

@testable import FaultHistories

/// A change of a record, with its name in the test's arguments.
struct RecordChange: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout Record) -> Void

    init(_ description: String, _ change: @escaping @Sendable (inout Record) -> Void) {
        testDescription = description
        self.change = change
    }
}

/// A record without a violation, to which tests add errors: four jobs of one user, a search, and some arrivals
/// upstream.
///
/// The jobs `a` and `b` succeed, `b` in its second run; `c` is cancelled while it waits.
/// `d` takes two steps in two runs.
enum SampleRecord {
    static let jobs = [job(1), job(2, sleep: 40), job(3), job(4, steps: 2)]

    static func job(_ tag: Int, sleep: Int = 0, steps: Int? = nil) -> SubmittedJob {
        var job = SubmittedJob(tag: tag, user: 1)
        job.sleep = sleep
        job.steps = steps
        return job
    }

    static var good: Record {
        var record = Record()
        record.requestsPerSecond = 2
        for (index, id) in ["a", "b", "c", "d"].enumerated() {
            record.requests.append(request(.submit([jobs[index]]), at: index * 2 + 1, ids: [id]))
        }
        record.requests += [
            request(.search, at: 8, ids: ["s"]), request(.cancel(jobID: "c"), at: 10, ids: ["c"]),
        ]
        record.changes = [
            change("a", at: 0, "", "running", run: 1), change("b", at: 0, "", "queued", run: 0),
            change("c", at: 0, "", "queued", run: 0), change("a", at: 10, "running", "succeeded", run: 1),
            change("b", at: 20, "queued", "running", run: 1), change("c", at: 25, "queued", "cancelled", run: 0),
            change("b", at: 30, "running", "queued", run: 1), change("b", at: 40, "queued", "running", run: 2),
            change("b", at: 80, "running", "succeeded", run: 2), change("d", at: 100, "", "running", run: 1),
            change("d", at: 110, "running", "queued", run: 1), change("d", at: 120, "queued", "running", run: 2),
            change("d", at: 130, "running", "succeeded", run: 2),
        ]
        for index in record.changes.indices { record.changes[index].number = index + 1 }
        record.marks = [
            .init(.taken, of: "d", number: 0, run: 1, place: 10), .init(.taken, of: "d", number: 1, run: 2, place: 12),
            .init(.removed, of: "d", number: 0, run: 1, place: 13),
            .init(.removed, of: "d", number: 1, run: 2, place: 13), .init(.told, of: "s", number: 1, place: 13),
        ]
        record.jobs["a"] = Record.Job(id: "a", state: "succeeded", run: 1, payload: jobs[0].payload)
        record.jobs["b"] = Record.Job(id: "b", state: "succeeded", run: 2, payload: jobs[1].payload)
        // The first run was released, and so was its attempt.
        record.jobs["b"]?.attempt = 1
        record.jobs["c"] = Record.Job(id: "c", state: "cancelled", run: 0, payload: jobs[2].payload)
        record.jobs["d"] = Record.Job(
            id: "d", kind: "diagnostics.steps", state: "succeeded", run: 2, payload: jobs[3].payload)
        record.jobs["d"]?.attempt = 1
        record.jobs["d"]?.result = #"{"distinct":2,"runs":2,"steps":2,"written":2}"#
        record.shown = ["a": "succeeded", "b": "succeeded", "c": "cancelled", "d": "succeeded"]
        record.endedRuns = [
            .init(worker: "first", jobID: "a", run: 1, outcome: "succeeded"),
            .init(worker: "first", jobID: "b", run: 1, outcome: "stale"),
            .init(worker: "second", jobID: "b", run: 2, outcome: "succeeded"),
            .init(worker: "first", jobID: "d", run: 1, outcome: "handedBack"),
            .init(worker: "second", jobID: "d", run: 2, outcome: "succeeded"),
        ]
        record.searches = [.init(id: "s", state: "complete", open: 0)]
        record.searchChanges = [.init("s", at: 100, isRunning: true), .init("s", at: 140, isRunning: false)]
        record.searchOwners = ["s": "user"]
        record.arrivals = [0, 500_000, 1_000_000, 1_500_000, 1_500_000 + 600_000]
        return record
    }

    /// Adds an error: the jobs `b` and `d` run on one worker when it is killed, and its death counts against `b`, whose
    /// release is written first.
    static func dieTogether(_ record: inout Record) {
        record.changes[9].at = 15
        record.changes.insert(record.changes.remove(at: 9), at: 4)
        for index in record.changes.indices { record.changes[index].number = index + 1 }
        for index in [7, 10] { record.changes[index].isDeath = true }
        record.jobs["b"]?.deathRuns = [1]
        record.interruptions = [.init(.killed, "first", at: 26)]
    }

    /// Adds jobs that run on a worker of their own until it dies with them.
    ///
    /// - Parameters:
    ///   - old: the group in which they were handed out.
    ///   - names: the group in which each is after the death.
    ///   - outages: whether the gateway was away at this death, and at an earlier one.
    static func addDeath(
        to record: inout Record, of old: String?, into names: [String?],
        outages: (now: Bool, before: Bool) = (false, false)
    ) {
        for index in names.indices {
            var handOut = change("x\(index)", at: 200, "", "running", run: 1)
            (handOut.worker, handOut.oldGroup, handOut.group) = ("third/1", old, old)
            record.changes.append(handOut)
        }
        for (index, name) in names.enumerated() {
            var release = change("x\(index)", at: 210, "running", "queued", run: 1)
            (release.oldWorker, release.oldGroup, release.group) = ("third/1", old, name)
            (release.isDeath, release.isOutage, release.hadOutage) = (true, outages.now, outages.before)
            record.changes.append(release)
        }
    }

    static func request(_ purpose: Record.Request.Purpose, at moment: Int, ids: [String]) -> Record.Request {
        var request = Record.Request(purpose, sentAt: moment)
        request.answeredAt = moment + 1
        request.answer = .accepted(ids)
        return request
    }

    /// A change by the worker `first` for odd runs, and `second` for even ones.
    static func change(_ id: String, at: Int, _ from: String, _ to: String, run: Int) -> Record.Change {
        var change = Record.Change(jobID: id, at: at, from: from, to: to, run: run)
        let worker = run.isMultiple(of: 2) ? "second/1" : "first/1"
        if to == "running" { change.worker = worker }
        if from == "running" { change.oldWorker = worker }
        return change
    }
}
