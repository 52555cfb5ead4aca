import Collections
import Contracts
import Model

/// The waiting jobs of one class (interactive, or below), of all kinds and people
/// (`docs/decisions/014-fair-places.md`).
///
/// People are served round robin, regardless of the kinds of their jobs: the person served longest ago comes next.
/// Priorities, raised by waiting, only order the jobs of one person. So one person's ten thousand jobs never delay
/// another's first job.
///
/// Removing the next job takes time logarithmic in the number of waiting people, whatever the number of jobs.
struct ReadyQueue {
    /// A person in the heap of those who have jobs of a kind. An entry is valid while ``UserKindQueue/entry`` has its
    /// position. A valid entry whose person has moved on since is updated when it comes to the top.
    struct Entry: Comparable {
        var position: Int
        var person: Int

        static func < (left: Entry, right: Entry) -> Bool {
            (left.position, left.person) < (right.position, right.person)
        }
    }

    /// The people who have waiting jobs of a kind.
    struct KindQueue {
        let kind: KindVersion
        var entries = Heap<Entry>()
        /// How many jobs of the kind wait.
        var count = 0
    }

    /// One person's waiting jobs of one kind.
    struct UserKindQueue {
        /// The kind's number.
        let number: Int
        /// The position of the valid entry.
        var entry: Int
        var jobs = WaitingJobs()
    }

    struct Person {
        let id: String
        /// The number of the last removal of one of their jobs; 0 before the first. The lowest comes next.
        var position = 0
        /// The kinds of their waiting jobs, in no particular order.
        var kinds: [UserKindQueue] = []
    }

    /// The indices in `kindQueues`, which never change.
    private var kindNumbers: [KindVersion: Int] = [:]
    var kindQueues: [KindQueue] = []
    /// The people who have jobs here, and the most recently served of the others. They keep their positions, so that
    /// leaving and coming back gains nothing.
    var people: [Person] = []
    private var personNumbers: [String: Int] = [:]
    /// How many people may be remembered before some without jobs are forgotten.
    private var capacity = 2 * ReadyQueue.keptPeople
    /// The highest position so far.
    var position = 0
    private var arrivals = 0
    let ageing: Duration

    private(set) var count = 0

    /// - Parameter ageing: the waiting time that raises a job by one step of priority.
    init(ageing: Duration) {
        self.ageing = ageing
    }

    var isEmpty: Bool { count == 0 }

    /// The kinds of the waiting jobs.
    var kinds: [KindVersion] { kindQueues.lazy.filter { $0.count > 0 }.map(\.kind) }

    // MARK: Inserting and removing

    mutating func insert(_ job: ReadyJob) {
        let person = number(ofPerson: job.person)
        let kind = index(of: job.kind, of: person)
        var job = job
        arrivals += 1
        job.arrival = arrivals
        people[person].kinds[kind].jobs.append(job)
        kindQueues[people[person].kinds[kind].number].count += 1
        count += 1
    }

    /// Undoes a removal. Several removals are undone in reverse, which restores the order.
    mutating func putBack(_ job: ReadyJob) {
        let person = number(ofPerson: job.person)
        if people[person].position > job.position {
            people[person].position = job.position
            for index in people[person].kinds.indices where people[person].kinds[index].entry > job.position {
                people[person].kinds[index].entry = job.position
                kindQueues[people[person].kinds[index].number].entries.insert(
                    Entry(position: job.position, person: person))
            }
        }
        let kind = index(of: job.kind, of: person)
        people[person].kinds[kind].jobs.prepend(job)
        kindQueues[people[person].kinds[kind].number].count += 1
        count += 1
    }

    /// Removes and returns a job, in time linear in the number of its person's jobs of its kind.
    mutating func remove(id: String, ofPerson personID: String, kind: KindVersion) -> ReadyJob? {
        guard let person = personNumbers[personID], let number = kindNumbers[kind],
            let index = people[person].kinds.firstIndex(where: { $0.number == number }),
            let job = people[person].kinds[index].jobs.remove(id: id)
        else { return nil }
        recordRemoval(ofPerson: person, index: index)
        return job
    }

    /// The most people without waiting jobs whose position is kept when others are forgotten. Whoever was served before
    /// all of them also comes first with a new position.
    static let keptPeople = 1_000

    /// How many people are known here.
    var peopleCount: Int { people.count }

    private mutating func number(ofPerson id: String) -> Int {
        if let number = personNumbers[id] { return number }
        if people.count >= capacity { removeIdlePeople() }
        people.append(Person(id: id))
        personNumbers[id] = people.count - 1
        return people.count - 1
    }

    /// Forgets the people without jobs who were served longest ago. People's numbers change.
    private mutating func removeIdlePeople() {
        let idle = people.lazy.filter(\.kinds.isEmpty).map(\.position).sorted()
        let first = idle.count > Self.keptPeople ? idle[idle.count - Self.keptPeople] : 0
        people.removeAll { $0.kinds.isEmpty && $0.position < first }
        personNumbers = [:]
        for index in kindQueues.indices { kindQueues[index].entries = Heap() }
        for (number, person) in people.enumerated() {
            personNumbers[person.id] = number
            for kind in person.kinds {
                kindQueues[kind.number].entries.insert(Entry(position: kind.entry, person: number))
            }
        }
        capacity = max(2 * Self.keptPeople, 2 * people.count)
    }

    private mutating func number(of kind: KindVersion) -> Int {
        if let number = kindNumbers[kind] { return number }
        kindQueues.append(KindQueue(kind: kind))
        kindNumbers[kind] = kindQueues.count - 1
        return kindQueues.count - 1
    }

    /// The index of a kind among a person's kinds. A new kind gets an entry in the kind's queue.
    private mutating func index(of kind: KindVersion, of person: Int) -> Int {
        let number = number(of: kind)
        if let index = people[person].kinds.firstIndex(where: { $0.number == number }) { return index }
        let position = people[person].position
        people[person].kinds.append(UserKindQueue(number: number, entry: position))
        kindQueues[number].entries.insert(Entry(position: position, person: person))
        return people[person].kinds.count - 1
    }

    mutating func recordRemoval(ofPerson person: Int, index: Int) {
        let number = people[person].kinds[index].number
        kindQueues[number].count -= 1
        count -= 1
        if kindQueues[number].count == 0 { kindQueues[number].entries = Heap() }
        if people[person].kinds[index].jobs.isEmpty { people[person].kinds.remove(at: index) }
    }

    // MARK: Contents

    func person(_ number: Int) -> String { people[number].id }

    /// Whether a job of a kind waits that the limits allow to run.
    func hasJobs(of kind: KindVersion, limits: RunningLimits) -> Bool {
        guard let number = kindNumbers[kind], kindQueues[number].count > 0, !limits.isFull(kind) else { return false }
        let full = limits.fullPeople(of: kind)
        return full.isEmpty
            || people.contains { person in
                person.kinds.contains { $0.number == number } && !full.contains(person.id)
            }
    }

    /// Since when the oldest job of each kind has waited.
    var oldest: [KindVersion: MonotonicInstant] {
        var oldest: [KindVersion: MonotonicInstant] = [:]
        for person in people {
            for kind in person.kinds {
                guard let since = kind.jobs.oldest else { continue }
                let version = kindQueues[kind.number].kind
                oldest[version] = min(since, oldest[version] ?? since)
            }
        }
        return oldest
    }
}
