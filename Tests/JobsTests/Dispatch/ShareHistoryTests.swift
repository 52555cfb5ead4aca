import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

/// Simulates workers with real loads, many people and several kinds on a simulated clock. Every assignment is checked
/// against the jobs that were waiting and running at that time.
private struct ShareHistory {
    static let third = KindVersion(kind: "third.kind", version: 1)

    struct Worker {
        var load: WorkerLoad
        let kinds: Set<KindVersion>
        var ends: [JobRun: MonotonicInstant] = [:]
    }

    /// A person's jobs of one kind.
    struct Waiting: Hashable {
        let person: String
        let kind: KindVersion
    }

    var fixture: DispatchFixture
    var random: SeededRandom
    /// The workers by instance.
    var workers: [String: Worker] = [:]
    var submitted = 0
    /// For each person, the others who have been served since, by workers that could have served that person.
    var overtook: [String: Set<String>] = [:]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        fixture = DispatchFixture(kinds: [
            JobKind(
                name: KindVersion.other.kind, version: 1, submitter: .user, maximumRunTime: .seconds(60),
                maximumRunning: 5, maximumRunningPerUser: 2)
        ])
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let slots = Int.random(in: 1...16, using: &random)
            let kinds: [[KindVersion]] = [[.echo], [.echo, .other], [.echo, .other, Self.third], [Self.third]]
            let known = kinds.randomElement(using: &random)!
            let instance = "w\(number)/1"
            workers[instance] = Worker(load: WorkerLoad(concurrency: slots), kinds: Set(known))
            fixture.hello(instance, kinds: known, credit: Int32(slots), capacity: Int32(slots))
        }
        fixture.holdsClaims = true
    }

    // MARK: Steps

    mutating func submit() {
        // One person in ten has many jobs of high priority.
        let isHog = Int.random(in: 0..<10, using: &random) == 0
        let person = isHog ? "hog" : "u\(Int.random(in: 0..<6, using: &random))"
        let jobs = (0..<(isHog ? 20 : Int.random(in: 1...3, using: &random))).map { index in
            ReadyJob.sample(
                "j\(submitted + index)", userID: index % 5 == 4 ? "system" : person,
                kind: [.echo, .echo, .other, Self.third].randomElement(using: &random)!,
                priority: isHog ? 9 : Int.random(in: -3...3, using: &random), since: fixture.now,
                onBehalfOf: index % 5 == 4 && index % 2 == 0 ? person : nil)
        }
        submitted += jobs.count
        fixture.submit(jobs)
        commitAndCheck()
    }

    /// Reserves a slot for a new job, as a submission does.
    mutating func submitAtOnce() {
        let person = "u\(Int.random(in: 0..<6, using: &random))"
        let job = ReadyJob.sample("j\(submitted)", userID: person, since: fixture.now)
        submitted += 1
        guard let instance = fixture.reserve(1, kind: job.kind, person: person).first else {
            fixture.submit([job])
            return commitAndCheck()
        }
        fixture.table[job.id] = DispatchFixture.JobRow(job: job)
        fixture.heldClaims.append(.init(job: job, worker: instance))
        commitAndCheck()
    }

    mutating func passTime() {
        fixture.now = fixture.now.advanced(by: .milliseconds(500))
        for instance in workers.keys.sorted() {
            guard var worker = workers[instance] else { continue }
            let ended = worker.ends.filter { $0.value <= fixture.now }.keys.sorted { $0.jobID < $1.jobID }
            for run in ended {
                worker.ends[run] = nil
                _ = worker.load.finished(run, after: .seconds(1))
                worker.load.removeFinishing(run)
            }
            workers[instance] = worker
            start(instance)
            guard !ended.isEmpty else { continue }
            let credit = workers[instance]?.load.credit ?? .init(free: 0, received: 0)
            fixture.finish(ended, by: instance, free: credit.free, received: credit.received)
            commitAndCheck()
        }
        for instance in workers.keys.sorted() {
            guard let load = workers[instance]?.load else { continue }
            fixture.say(.heartbeat(held: load.held, credit: load.credit), from: instance)
            commitAndCheck()
        }
    }

    /// Checks and commits the claims, and delivers the jobs to their workers.
    mutating func commitAndCheck() {
        while !fixture.heldClaims.isEmpty {
            checkTaken(fixture.heldClaims, waiting: waiting())
            fixture.commitClaims()
            deliver()
        }
        checkWaiting()
    }

    private mutating func deliver() {
        for (message, instance) in fixture.sent {
            guard case .jobs(let sequence, let jobs) = message else { continue }
            workers[instance]?.load.accept(jobs, sequence: sequence)
            start(instance)
        }
        fixture.sent = []
    }

    private mutating func start(_ instance: String) {
        let now = fixture.now
        while let job = workers[instance]?.load.startNext(deadline: { _ in now }, now: now) {
            let seconds = job.person == "hog" ? 600 : Int.random(in: 1...20, using: &random)
            workers[instance]?.ends[job.run] = now.advanced(by: .seconds(seconds))
        }
    }

    // MARK: Invariants

    /// The people and kinds with waiting jobs, and the highest urgency of each.
    private func waiting() -> [Waiting: Int] {
        var waiting: [Waiting: Int] = [:]
        for id in fixture.state.readyRuns.keys {
            guard let job = fixture.table[id]?.job else { continue }
            let key = Waiting(person: job.person, kind: job.kind)
            waiting[key] = max(urgency(of: job), waiting[key] ?? .min)
        }
        return waiting
    }

    /// Whether a worker knows the kind of waiting jobs and its limits allow another one.
    private func couldRun(_ jobs: Waiting, on instance: String) -> Bool {
        workers[instance]?.kinds.contains(jobs.kind) == true && !fixture.state.limits.isFull(jobs.kind)
            && !fixture.state.limits.fullPeople(of: jobs.kind).contains(jobs.person)
    }

    private func load(of person: String, on instance: String) -> Int {
        fixture.state.workers[instance]?.backgroundLoad(of: person) ?? 0
    }

    /// Workers with one slot are checked separately.
    private func slots(of instance: String) -> Int { fixture.state.workers[instance]?.backgroundSlots ?? 0 }

    /// - Parameter waiting: the jobs that have been waiting all the time and still are.
    private mutating func checkTaken(_ claims: [DispatchAction.Claim], waiting: [Waiting: Int]) {
        for claim in claims {
            let (person, instance, slots) = (claim.job.person, claim.worker, slots(of: claim.worker))
            guard person != SystemUser.id else {
                overtook[person] = []
                continue
            }
            let rivals = waiting.filter { couldRun($0.key, on: instance) }
            let others = Set(rivals.keys.map(\.person)).subtracting([person])
            if slots > 1 {
                #expect(load(of: person, on: instance) <= SlotShare.alone(of: slots))
                // Others may have begun to wait after the person had more. Then the person gets no new place.
                if !others.isEmpty {
                    #expect(load(of: person, on: instance) <= SlotShare.whileOthersWait(of: slots), "\(others) wait")
                }
            }
            let own = rivals.filter { $0.key.person == person }.values.max() ?? .min
            #expect(own <= urgency(of: claim.job))
            for other in others where load(of: other, on: instance) < SlotShare.whileOthersWait(of: slots) && slots > 1
            {
                #expect(overtook[other, default: []].insert(person).inserted, "\(other) waits")
            }
            overtook[person] = []
        }
    }

    private func urgency(of job: ReadyJob) -> Int {
        job.priority
            + Int(job.since.duration(to: fixture.now).microseconds / DispatchFixture.settings.ageing.microseconds)
    }

    /// Checks that nobody who waits is entitled to a free slot.
    private func checkWaiting() {
        let waiting = waiting()
        for (instance, worker) in fixture.state.workers where worker.freeForBackground > 0 {
            let slots = worker.backgroundSlots
            let people = Set(waiting.keys.filter { couldRun($0, on: instance) }.map(\.person))
            guard slots > 1, !people.isEmpty else {
                // A single slot is refused only to people with half of all such slots while others wait.
                #expect(slots > 1 || people.count != 1)
                continue
            }
            let share = people.count > 1 ? SlotShare.whileOthersWait(of: slots) : SlotShare.alone(of: slots)
            for person in people {
                #expect(load(of: person, on: instance) >= share && person != SystemUser.id, "\(person) could run")
            }
        }
    }
}

@Suite("Random histories of shares")
struct ShareHistoryTests {
    @Test(
        "Nobody exceeds their share while others wait, nobody waits while a place of theirs is free, and all jobs end",
        arguments: 1...12 as ClosedRange<UInt64>)
    func historiesOfShares(seed: UInt64) {
        var history = ShareHistory(seed: seed)
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &history.random) {
            case 0..<3: history.submit()
            case 3..<5: history.submitAtOnce()
            default: history.passTime()
            }
        }
        let known = history.workers.values.reduce(into: Set<KindVersion>()) { $0.formUnion($1.kinds) }
        func left() -> [DispatchFixture.JobRow] {
            history.fixture.table.values.filter { !$0.isFinished && known.contains($0.job.kind) }
        }
        for _ in 0..<history.submitted where !left().isEmpty {
            // The longest jobs take ten minutes.
            history.fixture.now = history.fixture.now.advanced(by: .seconds(600))
            history.passTime()
        }
        #expect(left().isEmpty)
        #expect(history.fixture.state.workers.values.allSatisfy { $0.load == 0 && $0.backgroundLoad(of: "hog") == 0 })
    }
}
