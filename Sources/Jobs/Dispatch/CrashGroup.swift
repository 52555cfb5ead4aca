import Collections
import Contracts
import Model

/// Waiting jobs that were lost together when a worker died. They run together again, apart from other work, so that the
/// next death narrows down which of them kills workers (`docs/decisions/012-crash-groups.md`).
struct CrashGroup {
    private(set) var members: Deque<ReadyJob> = []
    /// How many members there are of each kind.
    private(set) var kinds: [KindVersion: Int] = [:]
    private var countOfOutage = 0

    var isEmpty: Bool { members.isEmpty }
    /// Whether a member ran when the gateway went down with its worker.
    var ranAtOutage: Bool { countOfOutage > 0 }

    mutating func append(_ job: ReadyJob) {
        members.append(job)
        count(job, by: 1)
    }

    mutating func putBack(_ job: ReadyJob) {
        members.prepend(job)
        count(job, by: 1)
    }

    func contains(id: String) -> Bool { members.contains { $0.id == id } }

    mutating func remove(id: String) {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return }
        count(members.remove(at: index), by: -1)
    }

    /// Removes and returns the first members that satisfy a condition.
    ///
    /// - Parameter isTaken: called for each member in order, until there are `limit`.
    mutating func removeFirst(_ limit: Int, where isTaken: (ReadyJob) -> Bool) -> [ReadyJob] {
        var taken: [ReadyJob] = []
        var rest: Deque<ReadyJob> = []
        for (index, job) in members.enumerated() {
            if taken.count == limit {
                rest.append(contentsOf: members[index...])
                break
            }
            if isTaken(job) { taken.append(job) } else { rest.append(job) }
        }
        members = rest
        for job in taken { count(job, by: -1) }
        return taken
    }

    private mutating func count(_ job: ReadyJob, by change: Int) {
        kinds[job.kind, default: 0] += change
        if kinds[job.kind] == 0 { kinds[job.kind] = nil }
        if job.ranAtOutage { countOfOutage += change }
    }
}

extension CrashGroup {
    /// Divides runs that died together into groups: one group, or two halves if they already ran as a crash group. A
    /// single run is a group by itself.
    ///
    /// A group is named after its first run. A run dies only once, so group names are unique, and a restarted gateway
    /// needs no counter.
    ///
    /// - Parameter wereApart: whether the worker ran a crash group.
    /// - Returns: the name of each job's group, by job id.
    static func groups(of runs: [JobRun], wereApart: Bool) -> [String: String] {
        let runs = runs.sorted { $0.jobID < $1.jobID }
        let middle = wereApart && runs.count > 1 ? (runs.count + 1) / 2 : runs.count
        var groups: [String: String] = [:]
        for half in [runs[..<middle], runs[middle...]] {
            guard let first = half.first else { continue }
            for run in half { groups[run.jobID] = "\(first.jobID)/\(first.run)" }
        }
        return groups
    }
}
