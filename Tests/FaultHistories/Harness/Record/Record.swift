/// What was seen of one history: answers, the table's changes, workers' logs, arrivals upstream.
///
/// A value; what must hold of it is in its extensions.
package struct Record: Sendable {
    package var requestsPerSecond = 5
    package var requests: [Request] = []
    /// Every change of a job's state or run, in the order of the writes.
    package var changes: [Change] = []
    /// The table of jobs at the end, by id.
    package var jobs: [String: Job] = [:]
    /// What the API said at the end, by id.
    package var shown: [String: String] = [:]
    package var searches: [Search] = []
    /// What workers logged of the ends of their runs.
    package var endedRuns: [EndedRun] = []
    /// When requests reached the upstream, in microseconds of one clock, in order.
    package var arrivals: [Int] = []
    package var disturbances: [Disturbance] = []
    /// Processes that ended by themselves, each a sentence.
    package var crashes: [String] = []
    /// What had not ended in all the time that was given, each a sentence.
    package var unended: [String] = []
    /// Counters that do not agree with the rows they count, each a sentence.
    package var falseCounters: [String] = []

    package init() {}

    /// A request for jobs, to cancel or to requeue one.
    package struct Request: Sendable {
        package enum Purpose: Sendable {
            case submit([SubmittedJob])
            case cancel(jobID: String)
            case requeue(jobID: String)
        }

        package enum Answer: Sendable, Equatable {
            /// `2xx`, with the jobs' ids.
            case accepted([String])
            case refused(status: Int, code: String)
            /// The connection broke.
            case none
        }

        package var purpose: Purpose
        /// Rises with everything that is sent and answered.
        package var sentAt: Int
        /// `Int.max` when it was never answered.
        package var answeredAt = Int.max
        package var answer = Answer.none

        package init(_ purpose: Purpose, sentAt: Int) {
            self.purpose = purpose
            self.sentAt = sentAt
        }
    }

    /// One write of a job's row.
    package struct Change: Sendable, Equatable {
        package var jobID: String
        /// Milliseconds of the system's wall clock.
        package var at: Int
        /// Empty for a new row.
        package var from: String
        package var to: String
        package var oldRun: Int
        package var run: Int
        package var attempt: Int
        /// The epoch that had the run before this write.
        package var oldWorker: String?
        package var worker: String?
        package var userID: String
        package var uniqueKey: String?

        package init(jobID: String, at: Int, from: String, to: String, run: Int) {
            self.jobID = jobID
            self.at = at
            self.from = from
            self.to = to
            oldRun = to == "running" ? run - 1 : run
            self.run = run
            attempt = run
            userID = "user"
        }
    }

    /// A row of the table of jobs.
    package struct Job: Sendable, Equatable {
        package var id: String
        package var kind: String
        package var state: String
        package var run: Int
        package var attempt: Int
        package var payload: String
        package var result: String?
        package var errorCode: String?
        package var hasEnd: Bool
        package var hasLease: Bool
        /// The errors of attempts that are on record, in the order of the runs.
        package var attempts: [String] = []

        package init(id: String, kind: String = "diagnostics.echo", state: String, run: Int, payload: String) {
            self.id = id
            self.kind = kind
            self.state = state
            self.run = run
            attempt = run
            self.payload = payload
            result = state == "succeeded" ? payload : nil
            hasEnd = ["succeeded", "failed", "cancelled"].contains(state)
            hasLease = false
        }

        var isEcho: Bool { kind == "diagnostics.echo" }
    }

    /// A concert search that was accepted.
    package struct Search: Sendable {
        package var id: String
        /// As the API showed it at the end; `nil` when it did not know it.
        package var state: String?
        /// Artists without a result.
        package var open: Int

        package init(id: String, state: String?, open: Int) {
            self.id = id
            self.state = state
            self.open = open
        }
    }

    /// A line of a worker's log: it wrote how a run ended.
    package struct EndedRun: Sendable, Equatable {
        /// The worker's name.
        package var worker: String
        package var jobID: String
        package var run: Int
        /// As metrics call it.
        package var outcome: String

        package init(worker: String, jobID: String, run: Int, outcome: String) {
            self.worker = worker
            self.jobID = jobID
            self.run = run
            self.outcome = outcome
        }
    }

    /// A time in which a process was stopped, killed or not there: milliseconds of the system's wall clock.
    package struct Disturbance: Sendable {
        package var from: Int
        package var to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }
}

extension Record {
    /// How much happened, in one line.
    package var summary: String {
        let accepted = requests.count { if case .accepted = $0.answer { true } else { false } }
        let unanswered = requests.count { $0.answer == .none }
        return "\(requests.count) requests, \(accepted) accepted and \(unanswered) unanswered; \(jobs.count) jobs, "
            + "\(jobs.values.count { $0.run > 1 }) of them handed out more than once; "
            + "\(endedRuns.count { $0.outcome == "stale" }) stale ends; \(searches.count) searches; "
            + "\(arrivals.count) requests upstream"
    }
}
