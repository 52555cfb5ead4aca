import Collections
import Contracts
import Model

/// The jobs of one class (interactive, or below that) that wait for a worker, of all kinds and people.
///
/// People are served round robin, whatever the kinds of their jobs: whoever was served longest ago comes next. Which of
/// a person's jobs it is, their priorities say, raised by waiting. So one person's ten thousand jobs never delay
/// another's first, and nobody's priority counts against anybody else.
///
/// Taking a job costs a logarithm of how many people wait, however many jobs do.
struct ReadyQueue {
    /// Who comes next.
    struct Next {
        /// `nil` when nobody may have a place.
        var person: Int?
        /// Those who could use the place, and were passed over since they have their share.
        var passed: [Int] = []
    }

    /// A kind that may be taken.
    struct SelectedKind {
        let number: Int
        /// Whether it has limits on how many of it run.
        let isLimited: Bool
    }

    /// A person's place among those who have jobs of a kind. It may be out of date: it counts when it is the one that
    /// ``KindOfPerson/entry`` names, and moves to the person's own position when it is looked at.
    private struct Entry: Comparable {
        var position: Int
        var person: Int

        static func < (left: Entry, right: Entry) -> Bool {
            (left.position, left.person) < (right.position, right.person)
        }
    }

    private struct Line {
        let kind: KindVersion
        var entries = Heap<Entry>()
        /// How many jobs of it wait.
        var count = 0
    }

    private struct KindOfPerson {
        let number: Int
        /// The position of its entry.
        var entry: Int
        var jobs = WaitingJobs()
    }

    private struct Person {
        let id: String
        /// When one of their jobs was last taken, as a number of this queue; 0 for who never had one. The lowest comes
        /// next.
        var position = 0
        /// Those of which jobs wait, in no order; few.
        var kinds: [KindOfPerson] = []
    }

    /// The numbers of the kinds that were seen, which stay.
    private var kindNumbers: [KindVersion: Int] = [:]
    private var lines: [Line] = []
    /// Everybody who ever had jobs here: when they come again, they do not come before those who have waited since.
    private var people: [Person] = []
    private var personNumbers: [String: Int] = [:]
    /// The last position that was given.
    private var position = 0
    private var arrivals = 0
    private let ageing: Duration

    private(set) var count = 0

    /// - Parameter ageing: the waiting time that raises a job by one step of priority.
    init(ageing: Duration) {
        self.ageing = ageing
    }

    var isEmpty: Bool { count == 0 }

    /// The kinds of which jobs wait.
    var kinds: [KindVersion] { lines.lazy.filter { $0.count > 0 }.map(\.kind) }

    // MARK: Coming and going

    mutating func insert(_ job: ReadyJob) {
        let person = number(ofPerson: job.person)
        let kind = index(of: job.kind, of: person)
        var job = job
        arrivals += 1
        job.arrival = arrivals
        people[person].kinds[kind].jobs.append(job)
        lines[people[person].kinds[kind].number].count += 1
        count += 1
    }

    /// Undoes a removal: of several the last one first, so that the order is what it was.
    mutating func putBack(_ job: ReadyJob) {
        let person = number(ofPerson: job.person)
        if people[person].position > job.position {
            people[person].position = job.position
            for index in people[person].kinds.indices where people[person].kinds[index].entry > job.position {
                people[person].kinds[index].entry = job.position
                lines[people[person].kinds[index].number].entries.insert(
                    Entry(position: job.position, person: person))
            }
        }
        let kind = index(of: job.kind, of: person)
        people[person].kinds[kind].jobs.prepend(job)
        lines[people[person].kinds[kind].number].count += 1
        count += 1
    }

    /// Removes and returns a job wherever it stands, which costs as much as its person has jobs of its kind.
    mutating func remove(id: String, ofPerson personID: String, kind: KindVersion) -> ReadyJob? {
        guard let person = personNumbers[personID], let number = kindNumbers[kind],
            let index = people[person].kinds.firstIndex(where: { $0.number == number }),
            let job = people[person].kinds[index].jobs.remove(id: id)
        else { return nil }
        noteRemoval(ofPerson: person, index: index)
        return job
    }

    private mutating func number(ofPerson id: String) -> Int {
        if let number = personNumbers[id] { return number }
        people.append(Person(id: id))
        personNumbers[id] = people.count - 1
        return people.count - 1
    }

    private mutating func number(of kind: KindVersion) -> Int {
        if let number = kindNumbers[kind] { return number }
        lines.append(Line(kind: kind))
        kindNumbers[kind] = lines.count - 1
        return lines.count - 1
    }

    /// Where a person's jobs of a kind are, with an entry among those of the kind.
    private mutating func index(of kind: KindVersion, of person: Int) -> Int {
        let number = number(of: kind)
        if let index = people[person].kinds.firstIndex(where: { $0.number == number }) { return index }
        let position = people[person].position
        people[person].kinds.append(KindOfPerson(number: number, entry: position))
        lines[number].entries.insert(Entry(position: position, person: person))
        return people[person].kinds.count - 1
    }

    private mutating func noteRemoval(ofPerson person: Int, index: Int) {
        let number = people[person].kinds[index].number
        lines[number].count -= 1
        count -= 1
        if lines[number].count == 0 { lines[number].entries = Heap() }
        if people[person].kinds[index].jobs.isEmpty { people[person].kinds.remove(at: index) }
    }

    // MARK: What comes next

    /// The kinds that may be taken of those that a worker knows.
    func selection(of known: Set<KindVersion>, limits: RunningLimits) -> [SelectedKind] {
        guard count > 0 else { return [] }
        var selected: [SelectedKind] = []
        for (number, line) in lines.enumerated()
        where line.count > 0 && known.contains(line.kind) && !limits.isFull(line.kind) {
            selected.append(SelectedKind(number: number, isLimited: limits.limits(line.kind)))
        }
        return selected
    }

    /// Who comes next: of those with less than their share who was served longest ago; when there is none, the only one
    /// who waits, if they may have more.
    ///
    /// - Parameter use: what a person has of the worker's places.
    mutating func next(of selected: [SelectedKind], limits: RunningLimits, use: (String) -> ShareUse) -> Next {
        var next = Next()
        guard count > 0 else { return next }
        var lastUse = ShareUse.full
        // Who is passed over is taken out meanwhile: no more than have jobs that run.
        var taken: [(line: Int, entry: Entry)] = []
        defer { for (line, entry) in taken { lines[line].entries.insert(entry) } }
        while let (kind, entry) = first(of: selected, limits: limits) {
            let id = people[entry.person].id
            let isLimited = kind.isLimited && limits.fullPeople(of: lines[kind.number].kind).contains(id)
            if !isLimited {
                let use = use(id)
                if use == .below {
                    next.person = entry.person
                    return next
                }
                if !next.passed.contains(entry.person) {
                    next.passed.append(entry.person)
                    lastUse = use
                }
            }
            lines[kind.number].entries.removeMin()
            taken.append((kind.number, entry))
        }
        if next.passed.count == 1, lastUse == .reached { next.person = next.passed[0] }
        return next
    }

    /// The first entry among those of some kinds.
    private mutating func first(
        of selected: [SelectedKind], limits: RunningLimits
    ) -> (kind: SelectedKind, entry: Entry)? {
        var first: (kind: SelectedKind, entry: Entry)?
        for kind in selected where !(kind.isLimited && limits.isFull(lines[kind.number].kind)) {
            guard let entry = firstEntry(ofLine: kind.number), first.map({ entry < $0.entry }) ?? true else { continue }
            first = (kind, entry)
        }
        return first
    }

    /// The first entry of a kind that counts, brought up to date.
    private mutating func firstEntry(ofLine number: Int) -> Entry? {
        while let entry = lines[number].entries.min {
            let position = people[entry.person].position
            guard let index = people[entry.person].kinds.firstIndex(where: { $0.number == number }),
                people[entry.person].kinds[index].entry == entry.position
            else {
                lines[number].entries.removeMin()
                continue
            }
            guard position != entry.position else { return entry }
            people[entry.person].kinds[index].entry = position
            lines[number].entries.replaceMin(with: Entry(position: position, person: entry.person))
        }
        return nil
    }

    /// Removes and returns the job that comes next (``next(of:limits:use:)``).
    mutating func removeNext(
        at now: MonotonicInstant, of selected: [SelectedKind], limits: RunningLimits, use: (String) -> ShareUse
    ) -> ReadyJob? {
        guard let person = next(of: selected, limits: limits, use: use).person else { return nil }
        var best: (index: Int, urgency: WaitingJobs.Urgency)?
        for (index, kind) in people[person].kinds.enumerated() {
            guard isTakable(kind.number, of: people[person].id, in: selected, limits: limits),
                let urgency = kind.jobs.urgency(at: now, ageing: ageing), best.map({ $0.urgency < urgency }) ?? true
            else { continue }
            best = (index, urgency)
        }
        guard let best,
            var job = people[person].kinds[best.index].jobs.removeFirst(ofPriority: best.urgency.priority)
        else { return nil }
        job.position = people[person].position
        position += 1
        people[person].position = position
        noteRemoval(ofPerson: person, index: best.index)
        return job
    }

    private func isTakable(
        _ number: Int, of personID: String, in selected: [SelectedKind], limits: RunningLimits
    ) -> Bool {
        guard let kind = selected.first(where: { $0.number == number }) else { return false }
        guard kind.isLimited else { return true }
        let version = lines[number].kind
        return !limits.isFull(version) && !limits.fullPeople(of: version).contains(personID)
    }

    // MARK: What it holds

    func person(_ number: Int) -> String { people[number].id }

    /// Whether anybody has a job of a kind waiting who may have one run.
    func hasJobs(of kind: KindVersion, limits: RunningLimits) -> Bool {
        guard let number = kindNumbers[kind], lines[number].count > 0, !limits.isFull(kind) else { return false }
        let full = limits.fullPeople(of: kind)
        return full.isEmpty
            || people.contains { person in
                person.kinds.contains { $0.number == number } && !full.contains(person.id)
            }
    }

    /// Since when the job of each kind that has waited longest has.
    var oldest: [KindVersion: MonotonicInstant] {
        var oldest: [KindVersion: MonotonicInstant] = [:]
        for person in people {
            for kind in person.kinds {
                guard let since = kind.jobs.oldest else { continue }
                let version = lines[kind.number].kind
                oldest[version] = min(since, oldest[version] ?? since)
            }
        }
        return oldest
    }
}
