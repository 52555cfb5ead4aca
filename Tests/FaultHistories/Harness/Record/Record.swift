/// The observations of one history: answers, changes of the tables, workers' logs, requests that reached the upstream.
///
/// Its extensions check the rules.
package struct Record: Sendable {
    package var requestsPerSecond = 5
    package var requests: [Request] = []
    /// Every change of a job's state or run, in the order of the writes.
    package var changes: [Change] = []
    /// The rows that long jobs and the ends of jobs wrote, in the order of the writes.
    package var marks: [Mark] = []
    /// The jobs that have a checkpoint at the end.
    package var checkpoints: [String] = []
    /// Searches that wait for a lookup at the end, and ends that are still pending, in one sentence each.
    package var pending: [String] = []
    /// The table of jobs at the end, by id.
    package var jobs: [String: Job] = [:]
    /// The jobs as the API shows them at the end, by id.
    package var shown: [String: String] = [:]
    package var searches: [Search] = []
    /// The shares that were sent, by their numbers.
    package var shares: [Int: Share] = [:]
    /// The shares at the end that no answer named.
    package var unexplainedShares: [String] = []
    /// Every write that made a search run or no longer run, in the order of the writes.
    package var searchChanges: [SearchChange] = []
    /// The person of each search in the table at the end, by the search's id.
    package var searchOwners: [String: String] = [:]
    /// The quotas of each person.
    package var maximumRunningSearches = 10
    package var maximumUnfinishedJobs = 10_000
    package var maximumUnfinishedBytes = 256 << 20
    /// The ends of runs in the workers' logs.
    package var endedRuns: [EndedRun] = []
    /// The times at which requests reached the upstream, in microseconds of one clock, ascending.
    package var arrivals: [Int] = []
    package var disturbances: [Disturbance] = []
    /// The signals to workers, in order of time.
    package var interruptions: [Interruption] = []
    /// The processes that exited by themselves, in one sentence each.
    package var crashes: [String] = []
    /// Jobs and searches that had not ended within the time limit, in one sentence each.
    package var unended: [String] = []
    /// Counters that differ from the rows that they count, in one sentence each.
    package var falseCounters: [String] = []

    package init() {}

    /// A request that submits jobs, cancels or requeues one, or begins a search.
    package struct Request: Sendable {
        package enum Purpose: Sendable {
            case submit([SubmittedJob])
            case cancel(jobID: String)
            case requeue(jobID: String)
            case search
        }

        package enum Answer: Sendable, Equatable {
            /// `2xx`, with the ids of the jobs or of the search.
            case accepted([String])
            case refused(status: Int, code: String)
            /// The connection broke.
            case none
        }

        package var purpose: Purpose
        /// A counter of requests and answers.
        package var sentAt: Int
        /// The counter at the answer; `Int.max` without one.
        package var answeredAt = Int.max
        package var answer = Answer.none
        package var userID = "user"
        /// Milliseconds of the system's wall clock, before the request was sent and after its answer arrived.
        package var sentTime = 0
        package var answeredTime = Int.max

        package init(_ purpose: Purpose, sentAt: Int) {
            self.purpose = purpose
            self.sentAt = sentAt
        }

        var isRefusedByQuota: Bool { answer == .refused(status: 429, code: "quotaReached") }
    }

    /// One write that made a search run or no longer run.
    package struct SearchChange: Sendable, Equatable {
        package var searchID: String
        package var userID: String
        /// Milliseconds of the system's wall clock.
        package var at: Int
        package var isRunning: Bool

        package init(_ searchID: String, userID: String = "user", at: Int, isRunning: Bool) {
            self.searchID = searchID
            self.userID = userID
            self.at = at
            self.isRunning = isRunning
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
        /// The instance of the worker that had the run before this write.
        package var oldWorker: String?
        package var worker: String?
        package var userID: String
        package var uniqueKey: String?
        /// The row's number in the order of all changes; it increases with every write.
        package var number: Int?
        /// The crash group that the job was in before this write and is in after it.
        package var oldGroup: String?
        package var group: String?
        /// Whether this write released the run because its worker had died.
        package var isDeath = false
        /// Whether the gateway was down at that death, and whether it was at an earlier death of the job's workers.
        package var isOutage = false
        package var hadOutage = false

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

    /// One write of a row that belongs to a job.
    package struct Mark: Sendable, Equatable {
        package enum Sort: String, Sendable {
            /// A step of `diagnostics.steps`, and its removal by the job's end.
            case taken, removed
            /// An end that the database refused, and one that was written or dropped later.
            case pending, resolved
            /// The result of a search's artist.
            case told
        }

        package var sort: Sort
        /// The job's id, or the search's.
        package var id: String
        /// The step's number, or the artist's rank.
        package var number: Int
        package var run: Int
        /// The number of changes before it.
        package var place: Int

        package init(_ sort: Sort, of id: String, number: Int = 0, run: Int = 0, place: Int) {
            self.sort = sort
            self.id = id
            self.number = number
            self.run = run
            self.place = place
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
        /// The stored errors of attempts, in the order of the runs.
        package var attempts: [String] = []
        /// The runs whose worker's death counted against the job.
        package var deathRuns: Set<Int> = []
        package var isSuspect = false

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
        var isSteps: Bool { kind == "diagnostics.steps" }
        /// Whether a step of the history submitted it.
        var isSubmitted: Bool { isEcho || isSteps }
    }

    /// A concert search that was accepted.
    package struct Search: Sendable {
        package var id: String
        /// Its state in the API at the end; `nil` when the API does not find it.
        package var state: String?
        /// Artists without a result.
        package var open: Int

        package init(id: String, state: String?, open: Int) {
            self.id = id
            self.state = state
            self.open = open
        }
    }

    /// A line of a worker's log about the end of a run.
    package struct EndedRun: Sendable, Equatable {
        /// The worker's name.
        package var worker: String
        package var jobID: String
        package var run: Int
        /// The outcome as in metrics.
        package var outcome: String

        package init(worker: String, jobID: String, run: Int, outcome: String) {
            self.worker = worker
            self.jobID = jobID
            self.run = run
            self.outcome = outcome
        }
    }

    /// A time during which a process was stopped or did not run, in milliseconds of the system's wall clock.
    package struct Disturbance: Sendable {
        package var from: Int
        package var to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// A signal of the harness to a worker.
    package struct Interruption: Sendable {
        package enum Sort: Sendable {
            /// `SIGKILL`, `SIGSTOP`, `SIGTERM`.
            case killed, stopped, ended
        }

        package var sort: Sort
        /// The worker's name, with which its instances begin.
        package var worker: String
        /// Milliseconds of the system's wall clock, just before the signal.
        package var at: Int

        package init(_ sort: Sort, _ worker: String, at: Int) {
            self.sort = sort
            self.worker = worker
            self.at = at
        }
    }
}

extension Record {
    /// Counts of requests, jobs and observations, in one line.
    package var summary: String {
        let accepted = requests.count { if case .accepted = $0.answer { true } else { false } }
        let unanswered = requests.count { $0.answer == .none }
        return "\(requests.count) requests, \(accepted) accepted, \(unanswered) unanswered and "
            + "\(requests.count { $0.isRefusedByQuota }) refused by a quota; \(jobs.count) jobs, "
            + "\(jobs.values.count { $0.run > 1 }) of them handed out more than once; "
            + "\(Set(changes.lazy.filter { $0.group != nil }.map(\.jobID)).count) in crash groups; "
            + "\(endedRuns.count { $0.outcome == "stale" }) stale ends; \(marks.count { $0.sort == .taken }) steps; "
            + "\(marks.count { $0.sort == .pending }) refused ends; \(searches.count) searches; "
            + "\(arrivals.count) requests upstream"
    }
}
