/// One step of a history.
///
/// A step does nothing if the job or process that it names is missing, since a shrunk history lacks steps.
package enum Operation: Codable, Sendable, Equatable {
    /// One request with one job.
    case submit(job: SubmittedJob)
    /// One request with all of the jobs, in this order.
    case batch(jobs: [SubmittedJob])
    /// One request for each job, all at once. With `kills`, the gateway is killed at the first answer.
    case burst(jobs: [SubmittedJob], kills: Bool)
    /// Repeats the request of that job, if it has an Idempotency-Key.
    case again(tag: Int)
    case cancel(tag: Int)
    case requeue(tag: Int)
    /// Searches for concerts of the simulator's artists with these numbers.
    case search(number: Int, user: Int, artists: [Int])
    /// One request for each search, all at once.
    case searchBurst(searches: [SubmittedSearch])
    case cancelSearch(number: Int)
    /// Sends the share with this number, perhaps again.
    case share(number: Int, user: Int)
    case takeShareBack(number: Int)
    /// `kill -9`.
    case kill(role: Role)
    /// `kill -9` of a worker as soon as it holds a job, or after two seconds without one.
    case killHolder(role: Role)
    /// `SIGSTOP`, and `SIGCONT`.
    case stop(role: Role)
    case resume(role: Role)
    /// `SIGTERM`.
    case drain(role: Role)
    /// Starts a process that has ended, with a value for `BACKLINE_TEST_MESSAGE_FAULTS`.
    case start(role: Role, faults: String)
    /// Sets the wall clock of all processes to the given number of seconds from the correct time.
    case setClock(offsetSeconds: Int)
    /// Makes the simulator's next answers faulty.
    case injectFault(fault: String, times: Int)
    /// Makes the database refuse or accept the rows that domains write at the end of jobs.
    case refuseEnds(isRefused: Bool)
    case pause(milliseconds: Int)

    /// The jobs that the step submits.
    var submittedJobs: [SubmittedJob] {
        switch self {
        case .submit(let job): [job]
        case .batch(let jobs), .burst(let jobs, _): jobs
        default: []
        }
    }
}

/// The processes that a history disturbs.
package enum Role: String, Codable, Sendable, CaseIterable, Comparable {
    case gateway, first, second

    package static let workers: [Role] = [.first, .second]

    package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
}

/// A search that a history begins together with others.
package struct SubmittedSearch: Codable, Sendable, Equatable {
    /// Its number, by which other steps refer to it.
    package var number: Int
    /// The number of the user.
    package var user: Int
    /// The numbers of the simulator's artists.
    package var artists: [Int]

    package init(number: Int, user: Int, artists: [Int]) {
        self.number = number
        self.user = user
        self.artists = artists
    }
}

/// A job that a history submits: a `diagnostics.echo`, or a `diagnostics.steps`.
package struct SubmittedJob: Codable, Sendable, Equatable {
    /// Its number, by which other steps refer to it.
    package var tag: Int
    /// The number of the user.
    package var user: Int
    /// The milliseconds that an echo, or each of the steps, takes.
    package var sleep = 0
    /// The number of steps of a `diagnostics.steps`, which fails at once with 0; `nil` for an echo.
    package var steps: Int?
    /// How many attempts fail.
    package var failures = 0
    package var priority = 0
    /// Jobs with the same key have the same payload.
    package var uniqueKey: Int?
    /// The milliseconds from its request to its `runAt`, by the processes' wall clock.
    package var delay: Int?
    /// Whether its request carries an Idempotency-Key.
    package var isIdempotent = false
    /// The milliseconds after which a worker that runs it is killed; `nil` for a job that does not kill workers.
    package var killsAfter: Int?

    package init(tag: Int, user: Int) {
        self.tag = tag
        self.user = user
    }

    /// The number in the payload: the tag, or for a unique key a number above all tags.
    package var content: Int { uniqueKey.map { Self.firstSharedContent + $0 } ?? tag }

    static let firstSharedContent = 1_000_000

    package var kind: String { steps == nil ? "diagnostics.echo" : "diagnostics.steps" }

    /// Its payload, which is also the result of an echo.
    package var payload: String {
        if let steps { return #"{"n":\#(content),"steps":\#(steps),"stepMs":\#(sleep)}"# }
        return #"{"n":\#(content),"sleepMs":\#(sleep),"failAttempts":\#(failures)}"#
    }

    /// Whether only other jobs delay it, so that the order of assignments is checked for it.
    var isPlain: Bool { uniqueKey == nil && delay == nil }
}

extension Operation: CustomStringConvertible {
    /// The text of a step, for people who read a failing history.
    package var description: String {
        switch self {
        case .submit(let job): "submit \(job)"
        case .batch(let jobs): "submit as one batch: " + jobs.map(\.description).joined(separator: "; ")
        case .burst(let jobs, let kills):
            "submit at once\(kills ? ", and kill the gateway at the first answer" : ""): "
                + jobs.map(\.description).joined(separator: "; ")
        case .again(let tag): "repeat the request of job \(tag)"
        case .cancel(let tag): "cancel job \(tag)"
        case .requeue(let tag): "requeue job \(tag)"
        case .search(let number, let user, let artists):
            SubmittedSearch(number: number, user: user, artists: artists).description
        case .searchBurst(let searches): "at once, " + searches.map(\.description).joined(separator: "; ")
        case .cancelSearch(let number): "cancel search \(number)"
        case .share(let number, let user): "user \(user) sends share \(number)"
        case .takeShareBack(let number): "take share \(number) back"
        case .kill(let role): "kill -9 \(role)"
        case .killHolder(let role): "kill -9 \(role) once it holds a job"
        case .stop(let role): "SIGSTOP \(role)"
        case .resume(let role): "SIGCONT \(role)"
        case .drain(let role): "SIGTERM \(role)"
        case .start(let role, let faults): "start \(role)" + (faults.isEmpty ? "" : " with the faults \(faults)")
        case .setClock(let seconds): "set the wall clock to \(seconds) s from the correct time"
        case .injectFault(let fault, let times): "spoil the upstream's next \(times) answers with \(fault)"
        case .refuseEnds(let isRefused): "\(isRefused ? "refuse" : "accept") the rows of ended jobs"
        case .pause(let milliseconds): "wait \(milliseconds) ms"
        }
    }
}

extension Role: CustomStringConvertible {
    package var description: String { self == .gateway ? "the gateway" : "the \(rawValue) worker" }
}

extension SubmittedSearch: CustomStringConvertible {
    package var description: String {
        "user \(user) begins search \(number) of artists \(artists.map(String.init).joined(separator: ", "))"
    }
}

extension SubmittedJob: CustomStringConvertible {
    package var description: String {
        var text = "job \(tag) of user \(user), \(steps.map { "\($0) steps of " } ?? "")\(sleep) ms"
        if failures > 0 { text += ", \(failures) attempts fail" }
        if priority != 0 { text += ", priority \(priority)" }
        if let uniqueKey { text += ", unique key \(uniqueKey)" }
        if let delay { text += ", not before \(delay) ms" }
        if isIdempotent { text += ", idempotent" }
        if let killsAfter { text += ", kills its worker after \(killsAfter) ms" }
        return text
    }
}
