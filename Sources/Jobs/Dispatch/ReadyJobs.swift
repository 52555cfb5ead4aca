import Contracts
import Model

/// Everything that waits for a worker and is under no suspicion: interactive jobs, and those below that.
struct ReadyJobs {
    private(set) var interactive: ReadyQueue
    private(set) var background: ReadyQueue
    /// How each job stands that is not for its owner.
    private var standings: [String: Standing] = [:]

    private struct Standing: Equatable {
        var person: String
        var priority: Int

        init(_ job: ReadyJob) {
            person = job.person
            priority = job.priority
        }
    }

    /// - Parameter ageing: the waiting time that raises a job by one step of priority.
    init(ageing: Duration) {
        interactive = ReadyQueue(ageing: ageing)
        background = ReadyQueue(ageing: ageing)
    }

    var count: Int { interactive.count + background.count }

    var isEmpty: Bool { count == 0 }

    /// The kinds of which jobs wait.
    var kinds: Set<KindVersion> { Set(interactive.kinds + background.kinds) }

    mutating func insert(_ job: ReadyJob) {
        if job.onBehalfOf != nil { standings[job.id] = Standing(job) }
        if job.isInteractive { interactive.insert(job) } else { background.insert(job) }
    }

    mutating func putBack(_ job: ReadyJob) {
        if job.onBehalfOf != nil { standings[job.id] = Standing(job) }
        if job.isInteractive { interactive.putBack(job) } else { background.putBack(job) }
    }

    /// A job that waits was read anew: it may be for somebody else by now, or more urgent within its class, and then
    /// comes last among theirs of that priority.
    mutating func update(_ job: ReadyJob) {
        var earlier = standings[job.id] ?? Standing(job)
        if standings[job.id] == nil { earlier.person = job.userID }
        guard earlier != Standing(job) else { return }
        let removed =
            job.isInteractive
            ? interactive.remove(id: job.id, ofPerson: earlier.person, kind: job.kind)
            : background.remove(id: job.id, ofPerson: earlier.person, kind: job.kind)
        guard var moved = removed else { return }
        standings[job.id] = nil
        moved.onBehalfOf = job.onBehalfOf
        moved.priority = job.priority
        insert(moved)
    }

    /// Who comes next of a class (``ReadyQueue/next(of:limits:use:)``).
    mutating func next(
        isInteractive: Bool, of selected: [ReadyQueue.SelectedKind], limits: RunningLimits, use: (String) -> ShareUse
    ) -> ReadyQueue.Next {
        isInteractive
            ? interactive.next(of: selected, limits: limits, use: use)
            : background.next(of: selected, limits: limits, use: use)
    }

    /// Removes and returns the job of a class that comes next.
    mutating func removeNext(
        isInteractive: Bool, at now: MonotonicInstant, of selected: [ReadyQueue.SelectedKind], limits: RunningLimits,
        use: (String) -> ShareUse
    ) -> ReadyJob? {
        let job =
            isInteractive
            ? interactive.removeNext(at: now, of: selected, limits: limits, use: use)
            : background.removeNext(at: now, of: selected, limits: limits, use: use)
        if let job, job.onBehalfOf != nil { standings[job.id] = nil }
        return job
    }

    /// Whether anybody has a job of a kind waiting who may have one run.
    func hasJobs(of kind: KindVersion, limits: RunningLimits) -> Bool {
        interactive.hasJobs(of: kind, limits: limits) || background.hasJobs(of: kind, limits: limits)
    }

    /// The kinds of a class that may be taken of those that a worker knows.
    func selection(
        isInteractive: Bool, of known: Set<KindVersion>, limits: RunningLimits
    ) -> [ReadyQueue.SelectedKind] {
        isInteractive
            ? interactive.selection(of: known, limits: limits) : background.selection(of: known, limits: limits)
    }

    func person(_ number: Int, isInteractive: Bool) -> String {
        isInteractive ? interactive.person(number) : background.person(number)
    }

    /// Since when the job of each kind that has waited longest has.
    var oldest: [KindVersion: MonotonicInstant] {
        interactive.oldest.merging(background.oldest) { min($0, $1) }
    }
}
