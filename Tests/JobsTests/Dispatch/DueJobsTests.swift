import Model
import Testing

@testable import Jobs

@Suite("Scheduled jobs")
struct DueJobsTests {
    private func at(_ seconds: Int) -> Timestamp { Timestamp(microseconds: Int64(seconds) * 1_000_000) }

    /// The ids of the jobs that are due.
    private func due(_ jobs: inout DueJobs, at second: Int, limit: Int = 9) -> [String] {
        jobs.removeDue(at: at(second), limit: limit).map(\.id)
    }

    @Test("Due jobs are returned soonest first, up to a limit")
    func soonestFirst() {
        var jobs = DueJobs()
        for (id, second) in [("c", 3), ("a", 1), ("b", 2), ("z", 9)] { jobs.insert(id: id, at: at(second), change: 1) }
        #expect(due(&jobs, at: 0) == [])
        #expect(due(&jobs, at: 3, limit: 2) == ["a", "b"])
        #expect(due(&jobs, at: 3, limit: 2) == ["c"])
        #expect(jobs.count == 1)
        #expect(due(&jobs, at: 9) == ["z"])
        #expect(jobs.count == 0)
    }

    @Test("A job that a newer change postpones is due once, at its last time")
    func putOff() {
        var jobs = DueJobs()
        jobs.insert(id: "a", at: at(1), change: 1)
        jobs.insert(id: "a", at: at(1), change: 1)
        jobs.insert(id: "a", at: at(5), change: 2)
        #expect(jobs.count == 1)
        #expect(due(&jobs, at: 4) == [])
        #expect(due(&jobs, at: 5) == ["a"])
        jobs.insert(id: "b", at: at(5), change: 3)
        jobs.insert(id: "b", at: at(2), change: 4)
        #expect(due(&jobs, at: 2) == ["b"])
        #expect(due(&jobs, at: 9) == [])
        jobs.insert(id: "b", at: at(5), change: 5)
        #expect(due(&jobs, at: 9) == ["b"])
    }

    @Test("A change that is read again may move a job earlier, never later; an older change does nothing")
    func sameChange() {
        var jobs = DueJobs()
        jobs.insert(id: "a", at: at(5), change: 7)
        jobs.insert(id: "a", at: at(9), change: 7)
        jobs.insert(id: "a", at: at(1), change: 6)
        #expect(due(&jobs, at: 4) == [])
        jobs.insert(id: "a", at: at(3), change: 7)
        #expect(jobs.removeDue(at: at(4), limit: 9) == [.init(id: "a", change: 7)])
        // It could not be queued and is retried later, although the table has an earlier time.
        jobs.insert(id: "a", at: at(6), change: 7)
        jobs.insert(id: "a", at: at(8), change: 7)
        #expect(due(&jobs, at: 6) == ["a"])
    }

    @Test("A job that is cancelled while rows are read does not come back with them")
    func cancelledMeanwhile() {
        var jobs = DueJobs()
        jobs.insert(id: "a", at: at(1), change: 1)
        jobs.beginLoading()
        jobs.remove(id: "a")
        jobs.remove(id: "b")
        for (id, change) in [("a", Int64(1)), ("b", 2), ("c", 3)] { jobs.insert(id: id, at: at(1), change: change) }
        jobs.endLoading()
        #expect(due(&jobs, at: 9) == ["c"])
        #expect(jobs.count == 0 && jobs.entryCount == 0)
        // Rows that are read later count.
        jobs.beginLoading()
        jobs.insert(id: "a", at: at(2), change: 4)
        jobs.endLoading()
        #expect(due(&jobs, at: 9) == ["a"])
    }

    @Test("A time without a change is valid until the row is read, and never replaces the time of a row")
    func unknownChange() {
        var jobs = DueJobs()
        jobs.insert(id: "a", at: at(5))
        jobs.insert(id: "a", at: at(1))
        jobs.insert(id: "a", at: at(7), change: 3)
        jobs.insert(id: "a", at: at(2))
        #expect(due(&jobs, at: 6) == [])
        #expect(jobs.removeDue(at: at(7), limit: 9) == [.init(id: "a", change: 3)])
    }

    @Test("Jobs that are moved or removed leave no entries that grow in number")
    func boundedMemory() {
        var jobs = DueJobs()
        for change in 1...10_000 {
            jobs.insert(id: "a", at: at(1_000_000 + change), change: Int64(change))
            jobs.insert(id: "gone \(change)", at: at(2_000_000), change: Int64(change))
            jobs.remove(id: "gone \(change)")
        }
        #expect(jobs.count == 1 && jobs.entryCount < 100)
        #expect(due(&jobs, at: 3_000_000) == ["a"])
    }
}
