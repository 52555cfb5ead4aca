import Model
import Testing

@testable import Jobs

@Suite("Scheduled jobs")
struct DueJobsTests {
    private func at(_ seconds: Int) -> Timestamp { Timestamp(microseconds: Int64(seconds) * 1_000_000) }

    @Test("Due jobs are returned soonest first, up to a limit")
    func order() {
        var due = DueJobs()
        for (id, second) in [("c", 3), ("a", 1), ("b", 2), ("z", 9)] { due.insert(id: id, at: at(second)) }
        #expect(due.removeDue(at: at(0), limit: 10) == [])
        #expect(due.removeDue(at: at(3), limit: 2) == ["a", "b"])
        #expect(due.removeDue(at: at(3), limit: 2) == ["c"])
        #expect(due.count == 1)
        #expect(due.removeDue(at: at(9), limit: 2) == ["z"])
        #expect(due.count == 0)
    }

    @Test("A job that is put off again is due once, at its last time")
    func putOff() {
        var due = DueJobs()
        due.insert(id: "a", at: at(1))
        due.insert(id: "a", at: at(1))
        due.insert(id: "a", at: at(5))
        #expect(due.count == 1)
        #expect(due.removeDue(at: at(4), limit: 9) == [])
        #expect(due.removeDue(at: at(5), limit: 9) == ["a"])
        due.insert(id: "b", at: at(5))
        due.insert(id: "b", at: at(2))
        #expect(due.removeDue(at: at(2), limit: 9) == ["b"])
        #expect(due.removeDue(at: at(9), limit: 9) == [])
        due.insert(id: "b", at: at(5))
        #expect(due.removeDue(at: at(9), limit: 9) == ["b"])
    }
}
