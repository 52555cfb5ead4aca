import Contracts

/// Enforces how many jobs of a kind run at once, in total and for one person.
///
/// Every run that is handed out or about to be counts, on any worker, including runs from before the gateway's start.
/// Only kinds with a limit are counted.
struct RunningLimits {
    /// The jobs of one kind, of any version.
    private struct Kind {
        let maximum: Int?
        let maximumPerUser: Int?
        /// The number of runs and claims, by person and job. A job has two if it was read as waiting after it was
        /// handed out: its second claim fails, but the first run still counts.
        var people: [String: [String: Int]] = [:]
        var count = 0
        /// The people at their limit.
        var full: Set<String> = []

        var isFull: Bool { maximum.map { count >= $0 } ?? false }
    }

    private var kinds: [String: Kind] = [:]

    init(kinds: [JobKind]) {
        for kind in kinds where kind.maximumRunning != nil || kind.maximumRunningPerUser != nil {
            self.kinds[kind.name] = Kind(maximum: kind.maximumRunning, maximumPerUser: kind.maximumRunningPerUser)
        }
    }

    func limits(_ kind: KindVersion) -> Bool { !kinds.isEmpty && kinds[kind.kind] != nil }

    /// Whether no other job of a kind may run now, for any person.
    func isFull(_ kind: KindVersion) -> Bool { !kinds.isEmpty && kinds[kind.kind]?.isFull == true }

    /// The people for whom no other job of a kind may run now.
    func fullPeople(of kind: KindVersion) -> Set<String> { kinds.isEmpty ? [] : kinds[kind.kind]?.full ?? [] }

    func allows(_ job: ReadyJob) -> Bool {
        guard !kinds.isEmpty, let kind = kinds[job.kind.kind] else { return true }
        return !kind.isFull && !kind.full.contains(job.person)
    }

    /// Counts a job that is handed out or about to be. Each call is undone by one ``end(_:)``.
    mutating func begin(_ job: ReadyJob) {
        guard !kinds.isEmpty, var kind = kinds.removeValue(forKey: job.kind.kind) else { return }
        kind.people[job.person, default: [:]][job.id, default: 0] += 1
        if kind.people[job.person]?[job.id] == 1 { kind.count += 1 }
        if let most = kind.maximumPerUser, kind.people[job.person].map({ $0.count >= most }) == true {
            kind.full.insert(job.person)
        }
        kinds[job.kind.kind] = kind
    }

    /// Undoes one ``begin(_:)``: the run has ended or never began.
    mutating func end(_ job: ReadyJob) {
        guard !kinds.isEmpty, var kind = kinds.removeValue(forKey: job.kind.kind) else { return }
        switch kind.people[job.person]?[job.id] {
        case 1:
            kind.people[job.person]?[job.id] = nil
            kind.count -= 1
        case let claims?: kind.people[job.person]?[job.id] = claims - 1
        case nil: break
        }
        let count = kind.people[job.person]?.count ?? 0
        if count == 0 { kind.people[job.person] = nil }
        if kind.maximumPerUser.map({ count < $0 }) ?? true { kind.full.remove(job.person) }
        kinds[job.kind.kind] = kind
    }

    /// The ids of the counted jobs, by kind.
    var running: [String: Set<String>] {
        kinds.mapValues { kind in kind.people.values.reduce(into: []) { $0.formUnion($1.keys) } }
    }
}
