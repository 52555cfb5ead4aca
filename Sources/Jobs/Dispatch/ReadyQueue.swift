import Collections
import Contracts
import Model

/// The jobs of one kind that wait for a worker, in the order in which they are handed out: interactive ones first;
/// within a class priority, raised by waiting, then round robin among users, then first come first served.
///
/// So one person's ten thousand jobs never delay another's first, nothing starves within its class, and no job that
/// has waited long gets before one that somebody waits for.
struct ReadyQueue {
    /// How urgent a job is.
    struct Urgency: Comparable {
        var isInteractive: Bool
        /// Its priority, raised by one for each of the queue's steps of waiting.
        var value: Int

        static func < (left: Urgency, right: Urgency) -> Bool {
            left.isInteractive == right.isInteractive ? left.value < right.value : right.isInteractive
        }
    }

    /// The jobs of one priority.
    private struct Level {
        /// Users with waiting jobs; the first is served next.
        var turns: Deque<String> = []
        var jobs: [String: Deque<ReadyJob>] = [:]

        /// Where the user is who is served next. Those without a place are passed over; as many of them as have
        /// running jobs are looked at.
        private func nextTurn(without excluded: Set<String>) -> Int? {
            excluded.isEmpty ? turns.indices.first : turns.firstIndex { !excluded.contains($0) }
        }

        func next(without excluded: Set<String>) -> ReadyJob? {
            nextTurn(without: excluded).flatMap { jobs[turns[$0]]?.first }
        }

        mutating func insert(_ job: ReadyJob) {
            if jobs[job.userID] == nil { turns.append(job.userID) }
            jobs[job.userID, default: []].append(job)
        }

        mutating func removeNext(without excluded: Set<String>) -> ReadyJob? {
            guard let turn = nextTurn(without: excluded) else { return nil }
            let user = turns.remove(at: turn)
            guard let job = jobs[user]?.popFirst() else { return nil }
            if jobs[user]?.isEmpty == true {
                jobs[user] = nil
            } else {
                turns.append(user)
            }
            return job
        }

        /// Undoes the last ``removeNext(without:)``; others may have come in since.
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

    var hasInteractive: Bool { levels.keys.contains { $0 >= JobPriority.interactive } }

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

    /// The urgency of the job that comes next.
    ///
    /// - Parameter excluded: users whose jobs have to wait.
    func urgency(at now: MonotonicInstant, without excluded: Set<String> = []) -> Urgency? {
        best(at: now, without: excluded)?.urgency
    }

    /// - Parameters:
    ///   - excluded: users whose jobs have to wait.
    ///   - isInteractive: `true` takes interactive jobs only.
    mutating func removeNext(
        at now: MonotonicInstant, without excluded: Set<String> = [], onlyInteractive isInteractive: Bool = false
    ) -> ReadyJob? {
        guard let best = best(at: now, without: excluded), best.urgency.isInteractive || !isInteractive,
            let job = levels[best.priority]?.removeNext(without: excluded)
        else { return nil }
        if levels[best.priority]?.turns.isEmpty == true { levels[best.priority] = nil }
        count -= 1
        return job
    }

    private func best(
        at now: MonotonicInstant, without excluded: Set<String>
    ) -> (priority: Int, urgency: Urgency)? {
        var best: (priority: Int, urgency: Urgency)?
        for (priority, level) in levels {
            guard let next = level.next(without: excluded) else { continue }
            let waited = next.since.duration(to: now).microseconds
            let urgency = Urgency(
                isInteractive: priority >= JobPriority.interactive,
                value: priority + Int(max(0, waited) / max(1, ageing.microseconds)))
            // Of two that waiting has made equal, the one that was more urgent at first.
            if best.map({ ($0.urgency, $0.priority) < (urgency, priority) }) ?? true {
                best = (priority, urgency)
            }
        }
        return best
    }
}
