import Collections
import Model

/// The jobs of one kind that wait for a worker, in the order in which they are handed out:
/// priority, raised by waiting, then round robin among users, then first come first served.
///
/// So one person's ten thousand jobs never delay another's first, and nothing starves.
struct ReadyQueue {
    /// The jobs of one priority.
    private struct Level {
        /// Users with waiting jobs; the first is served next.
        var turns: Deque<String> = []
        var jobs: [String: Deque<ReadyJob>] = [:]

        var next: ReadyJob? { turns.first.flatMap { jobs[$0]?.first } }

        mutating func insert(_ job: ReadyJob) {
            if jobs[job.userID] == nil { turns.append(job.userID) }
            jobs[job.userID, default: []].append(job)
        }

        mutating func removeNext() -> ReadyJob? {
            guard let user = turns.popFirst(), let job = jobs[user]?.popFirst() else { return nil }
            if jobs[user]?.isEmpty == true {
                jobs[user] = nil
            } else {
                turns.append(user)
            }
            return job
        }

        /// Undoes the last ``removeNext()``; others may have come in since.
        mutating func putBack(_ job: ReadyJob) {
            if jobs[job.userID] != nil, let turn = turns.lastIndex(of: job.userID) { turns.remove(at: turn) }
            turns.prepend(job.userID)
            jobs[job.userID, default: []].prepend(job)
        }
    }

    private var levels: [Int: Level] = [:]
    private let ageing: Duration

    private(set) var count = 0

    /// - Parameter ageing: the waiting time that raises a job by one step of priority.
    init(ageing: Duration) {
        self.ageing = ageing
    }

    var isEmpty: Bool { count == 0 }

    mutating func insert(_ job: ReadyJob) {
        levels[job.priority, default: Level()].insert(job)
        count += 1
    }

    /// Undoes a removal: of several the last one first, so that the order is what it was.
    mutating func putBack(_ job: ReadyJob) {
        levels[job.priority, default: Level()].putBack(job)
        count += 1
    }

    /// Since when the job that has waited longest has.
    var oldest: MonotonicInstant? {
        // Those of one user stand in the order in which they came.
        levels.values.lazy.compactMap { $0.jobs.values.lazy.compactMap(\.first?.since).min() }.min()
    }

    /// The priority, with its ageing, of the job that comes next.
    func urgency(at now: MonotonicInstant) -> Int? {
        best(at: now)?.urgency
    }

    mutating func removeNext(at now: MonotonicInstant) -> ReadyJob? {
        guard let priority = best(at: now)?.priority, let job = levels[priority]?.removeNext() else { return nil }
        if levels[priority]?.turns.isEmpty == true { levels[priority] = nil }
        count -= 1
        return job
    }

    private func best(at now: MonotonicInstant) -> (priority: Int, urgency: Int)? {
        var best: (priority: Int, urgency: Int)?
        for (priority, level) in levels {
            guard let next = level.next else { continue }
            let waited = next.since.duration(to: now).microseconds
            let urgency = priority + Int(max(0, waited) / max(1, ageing.microseconds))
            // Of two that waiting has made equal, the one that was more urgent at first.
            if best.map({ (urgency, priority) > ($0.urgency, $0.priority) }) ?? true {
                best = (priority, urgency)
            }
        }
        return best
    }
}
