import Model

/// Decides what each piece of news about watched jobs means. It does nothing itself.
struct JobsWatch {
    /// How long the gateway may be away in the middle: it may be starting again.
    static let patience = Duration.seconds(30)

    enum Target: Equatable {
        case jobs(Set<String>)
        /// All that have not ended, those too that come while others run.
        case all(kind: String?)
    }

    enum Event {
        /// From the event stream.
        case job(JobNews)
        /// The stream was opened, broke, or has said nothing for a while: only asking tells what happened.
        case uncertain
        /// What asking told: each watched job, and of ``Target/all(kind:)`` every one that has not ended.
        case looked([JobNews])
        case failure(GatewayError)
        /// The person sent this signal (2 for Ctrl-C).
        case interrupt(Int32)
        case timeout
    }

    enum End: Equatable {
        case over
        case timedOut
        case interrupted(Int32)
        case failed(GatewayError)
    }

    enum Next: Equatable {
        case goOn
        /// Ask the gateway, and say what it told with ``Event/looked(_:)``.
        case look
        case end(End)
    }

    private let target: Target
    /// The last that is known of each job.
    private var known: [String: JobEntry] = [:]
    private var hasLooked = false
    private var failingSince: ContinuousClock.Instant?

    init(_ target: Target) {
        self.target = target
    }

    /// The jobs that have not ended, as far as is known.
    var open: [String] {
        let running = known.values.filter { !$0.state.isFinished }.map(\.id)
        guard case .jobs(let ids) = target else { return running.sorted() }
        return (running + ids.filter { known[$0] == nil }).sorted()
    }

    /// How many jobs are in each state.
    var counts: [JobState: Int] { known.values.reduce(into: [:]) { $0[$1.state, default: 0] += 1 } }

    /// - Returns: the changes that a person is to see, and what to do.
    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> (changes: [JobNews], next: Next) {
        switch event {
        case .job(let news):
            let changes = take(news) ? [news] : []
            // That nothing is open is no proof: another job may have come that the stream has not told of yet.
            return (changes, open.isEmpty && hasLooked && !changes.isEmpty ? .look : .goOn)
        case .uncertain:
            return ([], .look)
        case .looked(let found):
            failingSince = nil
            hasLooked = true
            let changes = found.filter { take($0) }
            return (changes, open.isEmpty ? .end(.over) : .goOn)
        case .failure(let error):
            let since = failingSince ?? now
            failingSince = since
            // A gateway that was never there does not come back.
            let isBearable = hasLooked && error.isPassing && since.duration(to: now) < Self.patience
            return ([], isBearable ? .goOn : .end(.failed(error)))
        case .interrupt(let signal): return ([], .end(.interrupted(signal)))
        case .timeout: return ([], .end(.timedOut))
        }
    }

    /// Whether it is a change of a job that is watched.
    private mutating func take(_ news: JobNews) -> Bool {
        let job = news.job
        switch target {
        case .jobs(let ids): guard ids.contains(job.id) else { return false }
        case .all(let kind):
            guard kind == nil || kind == job.kind else { return false }
            // Those that had ended before are no news.
            guard known[job.id] != nil || !job.state.isFinished || hasLooked else { return false }
        }
        // The stream and the asking race: what has ended has ended.
        if let before = known[job.id], before.state.isFinished || before.isSame(as: job) { return false }
        known[job.id] = job
        return true
    }
}

extension JobEntry {
    /// Whether a person would see no difference.
    fileprivate func isSame(as other: JobEntry) -> Bool { state == other.state && attempt == other.attempt }
}
