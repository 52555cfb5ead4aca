import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

/// Removes jobs from a queue for a worker that knows all kinds.
private struct QueueReader {
    var queue = ReadyQueue(ageing: .seconds(30))
    var kinds: Set<KindVersion> = [.echo, .other]
    var limits = RunningLimits(kinds: [])
    var uses: [String: ShareUse] = [:]

    init(_ jobs: [ReadyJob]) { for job in jobs { queue.insert(job) } }

    mutating func next(at now: MonotonicInstant) -> ReadyJob? {
        let selected = queue.selection(of: kinds, limits: limits)
        return queue.removeNext(at: now, of: selected, limits: limits) { [uses] in uses[$0] ?? .below }
    }

    mutating func all(at now: MonotonicInstant) -> [String] {
        var ids: [String] = []
        while let job = next(at: now) { ids.append(job.id) }
        return ids
    }

    /// The remaining jobs in order, for a worker that knows all kinds.
    func order(at now: MonotonicInstant) -> [String] {
        var copy = self
        (copy.kinds, copy.limits, copy.uses) = ([.echo, .other], RunningLimits(kinds: []), [:])
        let ids = copy.all(at: now)
        #expect(copy.queue.isEmpty && copy.queue.count == 0 && copy.queue.kinds.isEmpty)
        return ids
    }
}

@Suite("The queue of waiting jobs")
struct ReadyQueueTests {
    private let start = MonotonicInstant(microseconds: 1_000_000_000)

    @Test("One person's jobs are ordered by priority, whatever their kinds, then by arrival")
    func orderOfOnePerson() {
        let jobs = [("a", 0), ("b", 9), ("c", -5), ("d", 9), ("e", 0)]
        let taking = QueueReader(
            jobs.map { .sample($0.0, kind: $0.0 == "d" ? .other : .echo, priority: $0.1, since: start) })
        #expect(taking.queue.count == 5 && Set(taking.queue.kinds) == [.echo, .other])
        #expect(taking.order(at: start) == ["b", "d", "a", "e", "c"])
    }

    @Test("People without jobs are forgotten, starting with those who were served longest ago")
    func forgottenPeople() {
        var taking = QueueReader([.sample("waiting", userID: "always", kind: .other, since: start)])
        taking.kinds = [.echo]
        let count = 10 * ReadyQueue.keptPeople
        for person in 0..<count {
            taking.queue.insert(.sample("job \(person)", userID: "person \(person)", since: start))
            #expect(taking.next(at: start)?.id == "job \(person)")
        }
        #expect(taking.queue.peopleCount <= 2 * ReadyQueue.keptPeople + 1)
        // Whoever was served last still comes last, whoever else arrives.
        for person in [count - 1, count - 2, 0] {
            taking.queue.insert(.sample("again \(person)", userID: "person \(person)", since: start))
        }
        #expect(taking.all(at: start) == ["again 0", "again \(count - 2)", "again \(count - 1)"])
        taking.kinds = [.other]
        #expect(taking.all(at: start) == ["waiting"])
        #expect(taking.queue.isEmpty)
    }

    @Test("Thirty seconds of waiting raise the priority by one, even across kinds")
    func priorityRisesWithWaiting() {
        for kind in [KindVersion.echo, .other] {
            let old = ReadyJob.sample("old", since: start)
            let now = start.advanced(by: .seconds(89))
            #expect(
                QueueReader([old, .sample("new", kind: kind, priority: 3, since: now)]).order(at: now) == [
                    "new", "old",
                ])
            let later = start.advanced(by: .seconds(120))
            #expect(
                QueueReader([old, .sample("new", kind: kind, priority: 3, since: later)]).order(at: later) == [
                    "old", "new",
                ])
        }
    }

    @Test("At equal values the higher priority comes first, then the older job")
    func equalValues() {
        let now = start.advanced(by: .seconds(90))
        let jobs = [ReadyJob.sample("aged", since: start), .sample("urgent", priority: 3, since: now)]
        #expect(QueueReader(jobs).order(at: now) == ["urgent", "aged"])
        let others = [ReadyJob.sample("young", since: now), .sample("old", kind: .other, since: start)]
        #expect(QueueReader(others).order(at: start) == ["old", "young"])
    }

    @Test("A clock that goes backwards lowers no priority")
    func futureSince() {
        let late = ReadyJob.sample("a", priority: 2, since: start.advanced(by: .seconds(600)))
        #expect(QueueReader([.sample("b", priority: 1, since: start), late]).order(at: start) == ["a", "b"])
    }

    @Test("No job starves under a steady stream of its person's more urgent jobs")
    func noStarvation() {
        var taking = QueueReader([.sample("patient", since: start)])
        var now = start
        var served: [String] = []
        for number in 0..<1_000 {
            now = now.advanced(by: .seconds(1))
            taking.queue.insert(.sample("urgent\(number)", priority: 9, since: now))
            if let job = taking.next(at: now) { served.append(job.id) }
        }
        #expect(served.contains("patient"))
    }

    @Test("People are served round robin across kinds; priority and age do not count between people")
    func roundRobinOfPeople() {
        let now = start.advanced(by: .seconds(86_400))
        let jobs: [ReadyJob] = [
            .sample("a0", userID: "a", priority: 9, since: start),
            .sample("a1", userID: "a", priority: 9, since: start),
            .sample("a2", userID: "a", kind: .other, priority: 8, since: start),
            .sample("b0", userID: "b", kind: .other, priority: -100, since: now),
            .sample("b1", userID: "b", priority: -100, since: now), .sample("c0", userID: "c", since: now),
        ]
        #expect(QueueReader(jobs).order(at: now) == ["a0", "b0", "c0", "a1", "b1", "a2"])
    }

    @Test("A system job queues under the person for whom it is")
    func onBehalf() {
        let jobs: [ReadyJob] = [
            .sample("a0", userID: "a", since: start), .sample("s0", userID: "system", since: start, onBehalfOf: "a"),
            .sample("s1", userID: "system", since: start), .sample("b0", userID: "b", since: start),
        ]
        #expect(QueueReader(jobs).order(at: start) == ["a0", "s1", "b0", "s0"])
    }

    @Test("Ten thousand jobs of one person do not delay another's first job of any kind")
    func oneHog() {
        var taking = QueueReader((0..<10_000).map { .sample("a\($0)", userID: "a", priority: 9, since: start) })
        _ = taking.next(at: start)
        taking.queue.insert(.sample("b0", userID: "b", kind: .other, since: start))
        let next = (0..<2).compactMap { _ in taking.next(at: start)?.userID }
        #expect(next.contains("b"))
        #expect(taking.queue.count == 9_998)
    }

    @Test("Everybody who waits is served within one round", arguments: 1...5 as ClosedRange<UInt64>)
    func everybodyWithinOneRound(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var taking = QueueReader([])
        var waiting: [String: [KindVersion: Int]] = [:]
        /// For each waiting person, the others who were served meanwhile.
        var overtook: [String: Set<String>] = [:]
        for number in 0..<5_000 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                // A few people submit most jobs.
                let user = "u\(min(Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random)))"
                let kind = [KindVersion.echo, .other].randomElement(using: &random)!
                taking.queue.insert(.sample("\(number)", userID: user, kind: kind, since: start))
                waiting[user, default: [:]][kind, default: 0] += 1
            } else {
                taking.kinds = [[.echo], [.other], [.echo, .other]].randomElement(using: &random)!
                guard let job = taking.next(at: start) else { continue }
                waiting[job.userID]?[job.kind, default: 0] -= 1
                for (user, kinds) in waiting where user != job.userID {
                    guard kinds.contains(where: { taking.kinds.contains($0.key) && $0.value > 0 }) else { continue }
                    #expect(overtook[user, default: []].insert(job.userID).inserted, "\(user) waits")
                }
                overtook[job.userID] = []
            }
        }
        #expect(taking.queue.count == waiting.values.reduce(0) { $0 + $1.values.reduce(0, +) })
    }

    @Test("Jobs that are put back keep their order", arguments: 1...20 as ClosedRange<UInt64>)
    func putBack(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var taking = QueueReader(
            (0..<60).map { number in
                ReadyJob.sample(
                    "j\(number)", userID: "u\(Int.random(in: 0..<5, using: &random))",
                    kind: [.echo, .other].randomElement(using: &random)!,
                    priority: Int.random(in: 0..<3, using: &random), since: start)
            })
        for _ in 0..<Int.random(in: 0..<20, using: &random) { _ = taking.next(at: start) }
        let order = taking.order(at: start)
        for _ in 0..<3 {
            var taken: [ReadyJob] = []
            for _ in 0..<Int.random(in: 1...order.count, using: &random) { taken.append(taking.next(at: start)!) }
            #expect(taken.map(\.id) == Array(order.prefix(taken.count)))
            // Jobs that arrive meanwhile come after them.
            let isDisturbed = Bool.random(using: &random)
            if isDisturbed { taking.queue.insert(.sample("new", userID: "u9", since: start)) }
            for job in taken.reversed() { taking.queue.putBack(job) }
            #expect(taking.order(at: start).filter { $0 != "new" } == order)
            if isDisturbed { #expect(taking.queue.remove(id: "new", ofPerson: "u9", kind: .echo) != nil) }
            #expect(taking.queue.count == order.count)
        }
    }

    @Test("Removing a job does not change the order of the others")
    func removalKeepsTheOrder() {
        let jobs: [ReadyJob] = [
            .sample("a0", userID: "a", since: start), .sample("a1", userID: "a", since: start),
            .sample("b0", userID: "b", kind: .other, since: start), .sample("c0", userID: "c", since: start),
        ]
        var taking = QueueReader(jobs)
        #expect(taking.queue.remove(id: "a0", ofPerson: "b", kind: .echo) == nil)
        #expect(taking.queue.remove(id: "b0", ofPerson: "b", kind: .other)?.id == "b0")
        #expect(taking.queue.remove(id: "a0", ofPerson: "a", kind: .echo)?.id == "a0")
        #expect(taking.queue.kinds == [.echo])
        #expect(taking.order(at: start) == ["a1", "c0"])
    }

    @Test("A worker gets only kinds that it knows, and people who wait for other kinds keep their position")
    func unknownKinds() {
        var taking = QueueReader([
            .sample("a0", userID: "a", kind: .other, priority: 9, since: start),
            .sample("a1", userID: "a", since: start),
            .sample("b0", userID: "b", kind: .other, since: start), .sample("c0", userID: "c", since: start),
        ])
        taking.kinds = [.echo]
        #expect(taking.all(at: start) == ["a1", "c0"])
        taking.kinds = [.other]
        #expect(taking.all(at: start) == ["b0", "a0"])
        #expect(taking.queue.isEmpty)
    }

    @Test("A person at their share is passed over unless nobody else could use the place")
    func peopleAtTheirShare() {
        let jobs: [ReadyJob] = [
            .sample("a0", userID: "a", since: start), .sample("a1", userID: "a", kind: .other, since: start),
            .sample("b0", userID: "b", since: start), .sample("c0", userID: "c", kind: .other, since: start),
        ]
        var taking = QueueReader(jobs)
        taking.uses = ["a": .reached]
        #expect(taking.next(at: start)?.id == "b0")
        #expect(taking.next(at: start)?.id == "c0")
        #expect(taking.next(at: start)?.id == "a0")
        taking.uses = ["a": .full]
        #expect(taking.next(at: start) == nil)
        #expect(taking.order(at: start) == ["a1"])
        // Two people at their share get no more places, except for kinds for which the other does not wait.
        taking = QueueReader(jobs)
        taking.uses = ["a": .reached, "b": .reached, "c": .reached]
        #expect(taking.next(at: start) == nil)
        taking.kinds = [.other]
        taking.uses = ["a": .reached, "c": .below]
        #expect(taking.all(at: start) == ["c0", "a1"])
    }

    @Test("Kinds and people at their limits are passed over, keep their position and delay nobody")
    func kindsAtTheirLimit() {
        let kind = JobKind(
            name: KindVersion.other.kind, version: 1, submitter: .user, maximumRunTime: .seconds(60),
            maximumRunning: 2, maximumRunningPerUser: 1)
        var taking = QueueReader([
            .sample("a0", userID: "a", kind: .other, priority: 9, since: start),
            .sample("a1", userID: "a", since: start),
            .sample("b0", userID: "b", kind: .other, since: start),
            .sample("s0", userID: "system", kind: .other, since: start, onBehalfOf: "b"),
        ])
        taking.limits = RunningLimits(kinds: [kind])
        taking.limits.begin(.sample("running", userID: "system", kind: .other, onBehalfOf: "a"))
        #expect(taking.queue.hasJobs(of: .other, limits: taking.limits))
        #expect(taking.next(at: start)?.id == "a1")
        let second = taking.next(at: start)
        #expect(second?.id == "b0")
        if let second { taking.limits.begin(second) }
        #expect(taking.next(at: start) == nil)
        #expect(!taking.queue.hasJobs(of: .other, limits: taking.limits))
        #expect(taking.order(at: start) == ["a0", "s0"])
    }
}
