import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

@Suite("The queue of ready jobs")
struct ReadyQueueTests {
    private let start = MonotonicInstant(microseconds: 1_000_000_000)

    private func queue(_ jobs: [ReadyJob]) -> ReadyQueue {
        var queue = ReadyQueue(ageing: .seconds(30))
        for job in jobs { queue.insert(job) }
        return queue
    }

    private func drain(_ queue: ReadyQueue, at now: MonotonicInstant) -> [String] {
        var queue = queue
        var ids: [String] = []
        while let job = queue.removeNext(at: now) { ids.append(job.id) }
        #expect(queue.isEmpty)
        #expect(queue.count == 0)
        #expect(queue.urgency(at: now) == nil)
        return ids
    }

    @Test("Higher priorities come first, and within one the first come")
    func priorities() {
        let jobs = [("a", 0), ("b", 10), ("c", -5), ("d", 10), ("e", 0)]
        let queue = queue(jobs.map { .sample($0.0, priority: $0.1, since: start) })
        #expect(queue.count == 5)
        #expect(queue.urgency(at: start)?.value == 10)
        #expect(drain(queue, at: start) == ["b", "d", "a", "e", "c"])
    }

    @Test("Thirty seconds of waiting are worth a step of priority")
    func ageing() {
        let old = ReadyJob.sample("old", priority: 0, since: start)
        let now = start.advanced(by: .seconds(89))
        #expect(drain(queue([old, .sample("new", priority: 3, since: now)]), at: now) == ["new", "old"])
        let later = start.advanced(by: .seconds(120))
        #expect(drain(queue([old, .sample("new", priority: 3, since: later)]), at: later) == ["old", "new"])
        #expect(queue([old]).urgency(at: later)?.value == 4)
    }

    @Test("Jobs that were taken and are put back stand where they stood", arguments: 1...20 as ClosedRange<UInt64>)
    func putBack(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let jobs = (0..<60).map { number in
            ReadyJob.sample(
                "j\(number)", userID: "u\(Int.random(in: 0..<5, using: &random))",
                priority: Int.random(in: 0..<3, using: &random), since: start)
        }
        var queue = queue(jobs)
        for _ in 0..<Int.random(in: 0..<20, using: &random) { _ = queue.removeNext(at: start) }
        let order = drain(queue, at: start)
        var taken: [ReadyJob] = []
        for _ in 0..<Int.random(in: 1...40, using: &random) { taken.append(queue.removeNext(at: start)!) }
        for job in taken.reversed() { queue.putBack(job) }
        #expect(queue.count == order.count)
        #expect(drain(queue, at: start) == order)
        // What comes in meanwhile does not come between.
        for job in taken { #expect(queue.removeNext(at: start) == job) }
        queue.insert(.sample("new", userID: "u9", since: start))
        for job in taken.reversed() { queue.putBack(job) }
        #expect(drain(queue, at: start).filter { $0 != "new" } == order)
    }

    @Test("Of two that waiting has made equal the one with the higher priority comes first")
    func ties() {
        let now = start.advanced(by: .seconds(90))
        let jobs = [ReadyJob.sample("aged", priority: 0, since: start), .sample("urgent", priority: 3, since: now)]
        #expect(drain(queue(jobs), at: now) == ["urgent", "aged"])
    }

    @Test("A clock that seems to go backwards lowers nothing")
    func futureSince() {
        let queue = queue([.sample("a", priority: 2, since: start.advanced(by: .seconds(600)))])
        #expect(queue.urgency(at: start)?.value == 2)
    }

    @Test("Ten thousand jobs of one person never delay another's first")
    func oneHog() {
        var queue = queue((0..<10_000).map { .sample("a\($0)", userID: "a", since: start) })
        _ = queue.removeNext(at: start)
        queue.insert(.sample("b0", userID: "b", since: start))
        let next = (0..<2).compactMap { _ in queue.removeNext(at: start)?.userID }
        #expect(next.contains("b"))
        #expect(queue.count == 9_998)
    }

    @Test("Whoever has waiting jobs is served within one round", arguments: 1...5 as ClosedRange<UInt64>)
    func fairness(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = ReadyQueue(ageing: .seconds(30))
        var waiting: [String: Int] = [:]
        /// How many others were served since a user with waiting jobs was.
        var patience: [String: Int] = [:]
        var next = 0
        for _ in 0..<5_000 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                // A few people submit most.
                let user = "u\(min(Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random)))"
                queue.insert(.sample("\(next)", userID: user, since: start))
                next += 1
                if waiting[user, default: 0] == 0 { patience[user] = 0 }
                waiting[user, default: 0] += 1
            } else if let job = queue.removeNext(at: start) {
                waiting[job.userID, default: 0] -= 1
                for (user, count) in waiting where count > 0 && user != job.userID { patience[user, default: 0] += 1 }
                patience[job.userID] = 0
                #expect(patience.values.allSatisfy { $0 < 8 })
            }
            for (user, count) in waiting where count == 0 { patience[user] = 0 }
        }
        #expect(queue.count == waiting.values.reduce(0, +))
    }

    @Test("Nothing starves under a steady stream of more urgent jobs of its class")
    func noStarvation() {
        var queue = queue([.sample("patient", priority: 0, since: start)])
        var now = start
        var served: [String] = []
        for number in 0..<1_000 {
            now = now.advanced(by: .seconds(1))
            queue.insert(.sample("urgent\(number)", priority: 9, since: now))
            if let job = queue.removeNext(at: now) { served.append(job.id) }
        }
        #expect(served.contains("patient"))
    }

    @Test("However long a job has waited, no interactive one waits for it; within each class waiting still counts")
    func classes() {
        let now = start.advanced(by: .seconds(86_400))
        let jobs: [ReadyJob] = [
            .sample("old", priority: -100, since: start), .sample("background", priority: 9, since: now),
            .sample("interactive", priority: 20, since: now), .sample("patient", priority: 10, since: start),
        ]
        #expect(queue(jobs).hasInteractive)
        #expect(queue(jobs).urgency(at: now)?.isInteractive == true)
        #expect(drain(queue(jobs), at: now) == ["patient", "interactive", "old", "background"])
        var queue = queue(jobs)
        for _ in 0..<2 { #expect(queue.removeNext(at: now, onlyInteractive: true) != nil) }
        #expect(queue.removeNext(at: now, onlyInteractive: true) == nil)
        #expect(queue.count == 2 && !queue.hasInteractive)
    }

    @Test("Users who have to wait are passed over, in every priority, and keep their turn")
    func excluded() {
        let jobs: [ReadyJob] = [
            .sample("a0", userID: "a", priority: 5, since: start), .sample("a1", userID: "a", since: start),
            .sample("b0", userID: "b", since: start), .sample("c0", userID: "c", since: start),
        ]
        var queue = queue(jobs)
        #expect(queue.urgency(at: start, without: ["a"])?.value == 0)
        #expect(queue.removeNext(at: start, without: ["a"])?.id == "b0")
        #expect(queue.removeNext(at: start, without: ["a", "c"]) == nil)
        #expect(queue.urgency(at: start, without: ["a", "c"]) == nil)
        #expect(drain(queue, at: start) == ["a0", "a1", "c0"])
    }
}

@Suite("Jobs that wait for their time")
struct DueJobsTests {
    private func at(_ seconds: Int) -> Timestamp { Timestamp(microseconds: Int64(seconds) * 1_000_000) }

    @Test("They come when they are due, soonest first, up to a limit")
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

    @Test("A job that is put off is due once, at its last time")
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
