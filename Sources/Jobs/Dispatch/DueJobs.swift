import Collections
import Model

/// Scheduled jobs, soonest first.
struct DueJobs {
    private struct Due: Comparable {
        var at: Timestamp
        var id: String

        static func < (left: Due, right: Due) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    private var heap = Heap<Due>()
    private var known: [String: Timestamp] = [:]

    mutating func insert(id: String, at: Timestamp) {
        guard known[id] != at else { return }
        known[id] = at
        heap.insert(Due(at: at, id: id))
    }

    /// Removes and returns the jobs whose time has come.
    mutating func removeDue(at now: Timestamp, limit: Int) -> [String] {
        var due: [String] = []
        while due.count < limit, let first = heap.min, first.at <= now {
            heap.removeMin()
            // A job that was put off again has a later entry with its new time.
            if known[first.id] == first.at {
                known[first.id] = nil
                due.append(first.id)
            }
        }
        return due
    }

    var count: Int { known.count }
}
