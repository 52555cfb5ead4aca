import Collections
import Contracts
import Model

/// The waiting jobs of one person and kind, the most urgent first. Jobs of one priority are in the order of arrival.
struct WaitingJobs {
    /// How urgent a job is among those of its person.
    struct Urgency: Comparable {
        /// Its priority, raised by one for each ageing interval that it has waited.
        var value: Int
        var priority: Int
        var since: MonotonicInstant
        var arrival: Int

        /// Of two jobs with equal values the higher priority comes first, then the longer wait.
        static func < (left: Urgency, right: Urgency) -> Bool {
            (left.value, left.priority, right.since, right.arrival)
                < (right.value, right.priority, left.since, left.arrival)
        }
    }

    private struct Level {
        let priority: Int
        var jobs: Deque<ReadyJob>
    }

    /// Highest priority first; no level is empty.
    private var levels: [Level] = []

    var isEmpty: Bool { levels.isEmpty }

    /// Since when the oldest job has waited.
    var oldest: MonotonicInstant? { levels.lazy.compactMap(\.jobs.first?.since).min() }

    mutating func append(_ job: ReadyJob) { levels[level(of: job.priority)].jobs.append(job) }

    mutating func prepend(_ job: ReadyJob) { levels[level(of: job.priority)].jobs.prepend(job) }

    /// The index of a priority's level, which is inserted if it is missing.
    private mutating func level(of priority: Int) -> Int {
        let index = levels.firstIndex { $0.priority <= priority } ?? levels.count
        if index == levels.count || levels[index].priority != priority {
            levels.insert(Level(priority: priority, jobs: []), at: index)
        }
        return index
    }

    /// The urgency of the next job.
    ///
    /// - Parameter ageing: the waiting time that raises a job's priority by one.
    func urgency(at now: MonotonicInstant, ageing: Duration) -> Urgency? {
        var best: Urgency?
        for level in levels {
            guard let first = level.jobs.first else { continue }
            let waited = max(0, first.since.duration(to: now).microseconds)
            let value = level.priority + Int(waited / max(1, ageing.microseconds))
            if best.map({ $0.value < value }) ?? true {
                best = Urgency(value: value, priority: level.priority, since: first.since, arrival: first.arrival)
            }
        }
        return best
    }

    /// Removes and returns the first job of a priority.
    mutating func removeFirst(ofPriority priority: Int) -> ReadyJob? {
        guard let index = levels.firstIndex(where: { $0.priority == priority }) else { return nil }
        let job = levels[index].jobs.popFirst()
        if levels[index].jobs.isEmpty { levels.remove(at: index) }
        return job
    }

    /// Removes and returns a job, in time linear in the number of jobs.
    mutating func remove(id: String) -> ReadyJob? {
        for index in levels.indices {
            guard let position = levels[index].jobs.firstIndex(where: { $0.id == id }) else { continue }
            let job = levels[index].jobs.remove(at: position)
            if levels[index].jobs.isEmpty { levels.remove(at: index) }
            return job
        }
        return nil
    }
}
