import Collections
import Model

/// Scheduled jobs, soonest first.
struct DueJobs {
    private struct Entry: Comparable {
        var at: Timestamp
        var id: String

        static func < (left: Entry, right: Entry) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    /// When a job is due, and the row change from which that is known.
    private struct DueTime {
        var at: Timestamp
        var change: Int64
    }

    /// A job whose time has come.
    struct DueJob: Equatable {
        var id: String
        /// The row change from which its time is known; 0 if there is none.
        var change: Int64
    }

    /// Besides the entry of each job in `known`, it contains outdated ones.
    private var heap = Heap<Entry>()
    private var known: [String: DueTime] = [:]
    /// While rows are being read, the jobs that were removed since that began: the read may still return them.
    private var removedMeanwhile: Set<String>?

    /// Must be called before reading rows whose times will be inserted.
    mutating func beginLoading() { removedMeanwhile = [] }

    /// Must be called once the times are inserted.
    mutating func endLoading() { removedMeanwhile = nil }

    /// Adds a job, or changes its time.
    ///
    /// The same change never postpones a job: its time may depend on the clock, or on a failure since then.
    ///
    /// - Parameter change: the row change that set the time; 0 if unknown: then a job that is already known keeps its
    ///   time until its row is read.
    mutating func insert(id: String, at: Timestamp, change: Int64 = 0) {
        guard change == 0 || removedMeanwhile?.contains(id) != true else { return }
        if let known = known[id] {
            guard change > known.change || (change == known.change && change > 0 && at < known.at) else { return }
            if at == known.at {
                self.known[id]?.change = change
                return
            }
        }
        known[id] = DueTime(at: at, change: change)
        heap.insert(Entry(at: at, id: id))
        removeOutdated()
    }

    /// Removes a job that is no longer scheduled.
    mutating func remove(id: String) {
        removedMeanwhile?.insert(id)
        if known.removeValue(forKey: id) != nil { removeOutdated() }
    }

    /// Removes and returns the jobs whose time has come.
    mutating func removeDue(at now: Timestamp, limit: Int) -> [DueJob] {
        var due: [DueJob] = []
        while due.count < limit, let first = heap.min, first.at <= now {
            heap.removeMin()
            guard let job = known[first.id], job.at == first.at else { continue }
            known[first.id] = nil
            due.append(DueJob(id: first.id, change: job.change))
        }
        return due
    }

    /// Keeps the number of outdated entries below the number of jobs, in amortized constant time per change.
    private mutating func removeOutdated() {
        guard heap.count > 2 * known.count + 64 else { return }
        heap = Heap(known.map { Entry(at: $0.value.at, id: $0.key) })
    }

    var count: Int { known.count }
    /// The number of entries in memory, including outdated ones.
    var entryCount: Int { heap.count }
}
