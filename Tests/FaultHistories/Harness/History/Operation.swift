/// One step of a history.
///
/// Whatever it names may be missing, since a shrunk history has lost steps: then it does nothing.
package enum Operation: Codable, Sendable, Equatable {
    /// One request with one job.
    case submit(job: SubmittedJob)
    /// One request with all of them, in this order.
    case batch(jobs: [SubmittedJob])
    /// One request for each, all at once. With `kills`, the gateway is killed at the first answer.
    case burst(jobs: [SubmittedJob], kills: Bool)
    /// The request of that job once more; only where it has an Idempotency-Key.
    case again(tag: Int)
    case cancel(tag: Int)
    case requeue(tag: Int)
    /// Concerts of the simulator's artists of those numbers.
    case search(number: Int, user: Int, artists: [Int])
    case cancelSearch(number: Int)
    /// `kill -9`.
    case kill(role: Role)
    /// The same to a worker as soon as it holds a job, or after a while without.
    case killHolder(role: Role)
    /// `SIGSTOP`, and `SIGCONT`.
    case stop(role: Role)
    case resume(role: Role)
    /// `SIGTERM`.
    case drain(role: Role)
    /// Starts what has ended, with the rules of `BACKLINE_TEST_MESSAGE_FAULTS`.
    case start(role: Role, faults: String)
    /// How far the wall clock of all processes is from the right time.
    case setClock(offsetSeconds: Int)
    /// The simulator's next answers are faulty.
    case spoil(fault: String, times: Int)
    /// Whether the database refuses the rows that domains write at the end of jobs.
    case refuseEnds(isRefused: Bool)
    case pause(milliseconds: Int)

    /// The jobs that it asks for.
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

/// A job that a history submits: a `diagnostics.echo`, or a `diagnostics.steps`.
package struct SubmittedJob: Codable, Sendable, Equatable {
    /// What other steps call it.
    package var tag: Int
    /// The number of the user.
    package var user: Int
    /// Milliseconds that it takes, or, with steps, each of them.
    package var sleep = 0
    /// How many steps a `diagnostics.steps` takes; none fails at once. `nil` is an echo.
    package var steps: Int?
    /// How many attempts fail.
    package var failures = 0
    package var priority = 0
    /// Jobs with the same key have the same payload.
    package var uniqueKey: Int?
    /// Milliseconds from the wall clock's present to its `runAt`.
    package var delay: Int?
    /// Whether its request carries an Idempotency-Key.
    package var isIdempotent = false
    /// Milliseconds after which a worker that runs it is killed; `nil` for a job that does nobody any harm.
    package var killsAfter: Int?

    package init(tag: Int, user: Int) {
        self.tag = tag
        self.user = user
    }

    /// What tells payloads apart: the tag, or a number above all tags for a unique key.
    package var content: Int { uniqueKey.map { Self.firstSharedContent + $0 } ?? tag }

    static let firstSharedContent = 1_000_000

    package var kind: String { steps == nil ? "diagnostics.echo" : "diagnostics.steps" }

    /// As it is submitted, and as the result of an echo must give it back.
    package var payload: String {
        if let steps { return #"{"n":\#(content),"steps":\#(steps),"stepMs":\#(sleep)}"# }
        return #"{"n":\#(content),"sleepMs":\#(sleep),"failAttempts":\#(failures)}"#
    }

    /// Whether nothing but other jobs delays it, so that it keeps its place in the order.
    var isPlain: Bool { uniqueKey == nil && delay == nil }
}

extension Operation: CustomStringConvertible {
    /// For people who read a failing history.
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
            "user \(user) begins search \(number) of artists \(artists.map(String.init).joined(separator: ", "))"
        case .cancelSearch(let number): "cancel search \(number)"
        case .kill(let role): "kill -9 \(role)"
        case .killHolder(let role): "kill -9 \(role) once it holds a job"
        case .stop(let role): "SIGSTOP \(role)"
        case .resume(let role): "SIGCONT \(role)"
        case .drain(let role): "SIGTERM \(role)"
        case .start(let role, let faults): "start \(role)" + (faults.isEmpty ? "" : " with the faults \(faults)")
        case .setClock(let seconds): "set the wall clock to \(seconds) s beside the right time"
        case .spoil(let fault, let times): "spoil the upstream's next \(times) answers with \(fault)"
        case .refuseEnds(let isRefused): "\(isRefused ? "refuse" : "take") the rows of ended jobs"
        case .pause(let milliseconds): "wait \(milliseconds) ms"
        }
    }
}

extension Role: CustomStringConvertible {
    package var description: String { self == .gateway ? "the gateway" : "the \(rawValue) worker" }
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
