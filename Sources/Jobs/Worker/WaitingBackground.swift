import Collections
import Contracts

/// The jobs below interactive priority that wait in a worker. They start round robin by person; each person's jobs
/// start in the order of arrival.
struct WaitingBackground {
    private var jobs: [String: Deque<AssignedJob>] = [:]
    /// The people who have waiting jobs, the next one first.
    private var people: Deque<String> = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// All jobs, in the order in which they would start without limits.
    var inOrder: [AssignedJob] {
        var rest = self
        var order: [AssignedJob] = []
        order.reserveCapacity(count)
        while let person = rest.people.first, let job = rest.removeFirst(of: person, at: 0) { order.append(job) }
        return order
    }

    mutating func append(_ job: AssignedJob) {
        if jobs[job.person] == nil { people.append(job.person) }
        jobs[job.person, default: []].append(job)
        count += 1
    }

    /// The person whose job starts next.
    ///
    /// - Parameters:
    ///   - running: the number of running jobs below interactive priority, by person.
    ///   - slots: the number of slots for such jobs.
    /// - Returns: `nil` when everybody with waiting jobs has their share (``SlotShare``).
    func next(running: [String: Int], slots: Int) -> (person: String, index: Int)? {
        let share = SlotShare.whileOthersWait(of: slots)
        // At most as many people are passed over as there are slots.
        for (index, person) in people.enumerated()
        where SlotShare.isUnlimited(for: person) || running[person, default: 0] < share { return (person, index) }
        guard people.count == 1, let only = people.first, running[only, default: 0] < SlotShare.alone(of: slots)
        else { return nil }
        return (only, 0)
    }

    /// Removes and returns the job that starts next (``next(running:slots:)``).
    mutating func popNext(running: [String: Int], slots: Int) -> AssignedJob? {
        guard let (person, index) = next(running: running, slots: slots) else { return nil }
        return removeFirst(of: person, at: index)
    }

    /// Removes a person's first job, and moves the person to the end.
    private mutating func removeFirst(of person: String, at index: Int) -> AssignedJob? {
        guard let position = jobs.index(forKey: person), let job = jobs.values[position].popFirst() else { return nil }
        count -= 1
        if jobs.values[position].isEmpty {
            jobs.remove(at: position)
            people.remove(at: index)
        } else if people.count > 1 {
            people.remove(at: index)
            people.append(person)
        }
        return job
    }

    /// Removes and returns all but the first `kept` jobs.
    mutating func removeAll(after kept: Int) -> [AssignedJob] {
        guard kept < count else { return [] }
        let order = inOrder
        self = WaitingBackground()
        for job in order.prefix(kept) { append(job) }
        return Array(order.dropFirst(kept))
    }

    /// Removes the jobs that satisfy a condition.
    mutating func removeAll(where isRemoved: (AssignedJob) -> Bool) {
        for person in people {
            jobs[person]?.removeAll(where: isRemoved)
            if jobs[person]?.isEmpty == true { jobs[person] = nil }
        }
        people.removeAll { jobs[$0] == nil }
        count = jobs.values.reduce(0) { $0 + $1.count }
    }

    func hasJobs(of person: String) -> Bool { jobs[person] != nil }
}
