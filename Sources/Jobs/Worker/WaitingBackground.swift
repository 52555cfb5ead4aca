import Collections
import Contracts

/// The jobs below interactive priority that wait in a worker. People begin round robin; those of one person in the
/// order in which they came.
struct WaitingBackground {
    private var jobs: [String: Deque<HandedJob>] = [:]
    /// Those who have some; the first is looked at first.
    private var people: Deque<String> = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// All of them, in the order in which they would begin if there were room for all.
    var inOrder: [HandedJob] {
        var rest = self
        var order: [HandedJob] = []
        order.reserveCapacity(count)
        while let person = rest.people.first, let job = rest.removeFirst(of: person, at: 0) { order.append(job) }
        return order
    }

    mutating func append(_ job: HandedJob) {
        if jobs[job.person] == nil { people.append(job.person) }
        jobs[job.person, default: []].append(job)
        count += 1
    }

    /// Whose job begins next.
    ///
    /// - Parameters:
    ///   - running: how many of each person's run.
    ///   - places: how many places there are for such jobs.
    /// - Returns: `nil` when all who wait have their share (``PlaceShare``).
    func next(running: [String: Int], places: Int) -> (person: String, index: Int)? {
        let share = PlaceShare.whileOthersWait(of: places)
        // No more than fill the places are passed over.
        for (index, person) in people.enumerated()
        where PlaceShare.isWhole(for: person) || running[person, default: 0] < share { return (person, index) }
        guard people.count == 1, let only = people.first, running[only, default: 0] < PlaceShare.alone(of: places)
        else { return nil }
        return (only, 0)
    }

    /// Removes and returns the job that begins next (``next(running:places:)``).
    mutating func popNext(running: [String: Int], places: Int) -> HandedJob? {
        guard let (person, index) = next(running: running, places: places) else { return nil }
        return removeFirst(of: person, at: index)
    }

    /// Removes a person's first job, and has the person come last.
    private mutating func removeFirst(of person: String, at index: Int) -> HandedJob? {
        guard let place = jobs.index(forKey: person), let job = jobs.values[place].popFirst() else { return nil }
        count -= 1
        if jobs.values[place].isEmpty {
            jobs.remove(at: place)
            people.remove(at: index)
        } else if people.count > 1 {
            people.remove(at: index)
            people.append(person)
        }
        return job
    }

    /// Removes and returns all but the first ones.
    mutating func removeAll(after kept: Int) -> [HandedJob] {
        guard kept < count else { return [] }
        let order = inOrder
        self = WaitingBackground()
        for job in order.prefix(kept) { append(job) }
        return Array(order.dropFirst(kept))
    }

    /// Removes those that satisfy a condition.
    mutating func removeAll(where isRemoved: (HandedJob) -> Bool) {
        for person in people {
            jobs[person]?.removeAll(where: isRemoved)
            if jobs[person]?.isEmpty == true { jobs[person] = nil }
        }
        people.removeAll { jobs[$0] == nil }
        count = jobs.values.reduce(0) { $0 + $1.count }
    }

    func hasJobs(of person: String) -> Bool { jobs[person] != nil }
}
