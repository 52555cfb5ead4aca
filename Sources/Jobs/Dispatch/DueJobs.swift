import Collections
import Model

/// Scheduled jobs, soonest first.
struct DueJobs {
    private struct Entry: Comparable {
        var at: Timestamp
        var id: String

        static func < (left: Entry, right: Entry) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    /// When a job is due, and the change of its row that says so.
    private struct Known {
        var at: Timestamp
        var change: Int64
    }

    /// A job whose time has come.
    struct Due: Equatable {
        var id: String
        /// The change of the row from which its time was known; 0 for none.
        var change: Int64
    }

    /// Beside the entry of each job in `known`, it has outdated ones.
    private var heap = Heap<Entry>()
    private var known: [String: Known] = [:]
    /// While rows are read, the jobs that were removed since the reading began: it may still find them.
    private var removedMeanwhile: Set<String>?

    /// Call it before rows are read whose times are inserted.
    mutating func beginReading() { removedMeanwhile = [] }

    /// Call it once they are inserted.
    mutating func endReading() { removedMeanwhile = nil }

    /// Adds a job, or changes its time.
    ///
    /// The same change never puts a job off: its time may depend on the clock, or on a failure since then.
    ///
    /// - Parameter change: the change of the row that has the time. 0 if it is unknown: then the time of a job that is
    ///   here already stays until its row is read.
    mutating func insert(id: String, at: Timestamp, change: Int64 = 0) {
        guard change == 0 || removedMeanwhile?.contains(id) != true else { return }
        if let known = known[id] {
            guard change > known.change || (change == known.change && change > 0 && at < known.at) else { return }
            if at == known.at {
                self.known[id]?.change = change
                return
            }
        }
        known[id] = Known(at: at, change: change)
        heap.insert(Entry(at: at, id: id))
        removeOutdated()
    }

    /// Removes a job that is no longer scheduled.
    mutating func remove(id: String) {
        removedMeanwhile?.insert(id)
        if known.removeValue(forKey: id) != nil { removeOutdated() }
    }

    /// Removes and returns the jobs whose time has come.
    mutating func removeDue(at now: Timestamp, limit: Int) -> [Due] {
        var due: [Due] = []
        while due.count < limit, let first = heap.min, first.at <= now {
            heap.removeMin()
            guard let job = known[first.id], job.at == first.at else { continue }
            known[first.id] = nil
            due.append(Due(id: first.id, change: job.change))
        }
        return due
    }

    /// Keeps the outdated entries fewer than the jobs, in constant time per change on average.
    private mutating func removeOutdated() {
        guard heap.count > 2 * known.count + 64 else { return }
        heap = Heap(known.map { Entry(at: $0.value.at, id: $0.key) })
    }

    var count: Int { known.count }
    /// The number of entries in memory, outdated ones included.
    var entryCount: Int { heap.count }
}
