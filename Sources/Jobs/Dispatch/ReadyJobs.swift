import Contracts
import Model

/// The jobs that wait for a worker and are not suspects, in two queues: interactive jobs, and those below.
struct ReadyJobs {
    private(set) var interactive: ReadyQueue
    private(set) var background: ReadyQueue
    /// The person and priority under which each job that is not for its owner waits. Both may change while it waits.
    private var queuedAs: [String: QueueKey] = [:]

    private struct QueueKey: Equatable {
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

    /// The kinds of the waiting jobs.
    var kinds: Set<KindVersion> { Set(interactive.kinds + background.kinds) }

    mutating func insert(_ job: ReadyJob) {
        if job.onBehalfOf != nil { queuedAs[job.id] = QueueKey(job) }
        if job.isInteractive { interactive.insert(job) } else { background.insert(job) }
    }

    mutating func putBack(_ job: ReadyJob) {
        if job.onBehalfOf != nil { queuedAs[job.id] = QueueKey(job) }
        if job.isInteractive { interactive.putBack(job) } else { background.putBack(job) }
    }

    /// Moves a waiting job that was read again if it is now for another person or has another priority within its
    /// class: it then comes last among that person's jobs of the priority.
    mutating func update(_ job: ReadyJob) {
        var earlier = queuedAs[job.id] ?? QueueKey(job)
        if queuedAs[job.id] == nil { earlier.person = job.userID }
        guard earlier != QueueKey(job), var moved = remove(job) else { return }
        moved.onBehalfOf = job.onBehalfOf
        moved.priority = job.priority
        insert(moved)
    }

    /// Removes and returns the entry of a job, which may be older than `job`; `nil` when there is none.
    mutating func remove(_ job: ReadyJob) -> ReadyJob? {
        let person = queuedAs.removeValue(forKey: job.id)?.person ?? job.userID
        return job.isInteractive
            ? interactive.remove(id: job.id, ofPerson: person, kind: job.kind)
            : background.remove(id: job.id, ofPerson: person, kind: job.kind)
    }

    /// The person who comes next in a class (``ReadyQueue/next(of:limits:use:)``).
    mutating func next(
        isInteractive: Bool, of selected: [ReadyQueue.EligibleKind], limits: RunningLimits, use: (String) -> ShareUse
    ) -> ReadyQueue.Next {
        isInteractive
            ? interactive.next(of: selected, limits: limits, use: use)
            : background.next(of: selected, limits: limits, use: use)
    }

    /// Removes and returns the next job of a class.
    mutating func removeNext(
        isInteractive: Bool, at now: MonotonicInstant, of selected: [ReadyQueue.EligibleKind], limits: RunningLimits,
        use: (String) -> ShareUse
    ) -> ReadyJob? {
        let job =
            isInteractive
            ? interactive.removeNext(at: now, of: selected, limits: limits, use: use)
            : background.removeNext(at: now, of: selected, limits: limits, use: use)
        if let job, job.onBehalfOf != nil { queuedAs[job.id] = nil }
        return job
    }

    /// Whether a job of a kind waits that the limits allow to run.
    func hasJobs(of kind: KindVersion, limits: RunningLimits) -> Bool {
        interactive.hasJobs(of: kind, limits: limits) || background.hasJobs(of: kind, limits: limits)
    }

    /// The kinds of a class that a worker knows and that the limits allow to run.
    func selection(
        isInteractive: Bool, of known: Set<KindVersion>, limits: RunningLimits
    ) -> [ReadyQueue.EligibleKind] {
        isInteractive
            ? interactive.selection(of: known, limits: limits) : background.selection(of: known, limits: limits)
    }

    func person(_ number: Int, isInteractive: Bool) -> String {
        isInteractive ? interactive.person(number) : background.person(number)
    }

    /// Since when the oldest job of each kind has waited.
    var oldest: [KindVersion: MonotonicInstant] {
        interactive.oldest.merging(background.oldest) { min($0, $1) }
    }
}
