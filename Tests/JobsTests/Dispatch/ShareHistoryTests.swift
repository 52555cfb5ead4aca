import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

/// Simulates workers with real loads, many people and several kinds on a simulated clock. Every hand-out is checked
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

    var bench: DispatchBench
    var random: SeededRandom
    /// The workers by epoch.
    var workers: [String: Worker] = [:]
    var submitted = 0
    /// For each person, the others who have been served since, by workers that could have served that person.
    var overtook: [String: Set<String>] = [:]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        bench = DispatchBench(kinds: [
            JobKind(
                name: KindVersion.other.kind, version: 1, submitter: .user, maximumRunTime: .seconds(60),
                maximumRunning: 5, maximumRunningPerUser: 2)
        ])
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let places = Int.random(in: 1...16, using: &random)
            let kinds: [[KindVersion]] = [[.echo], [.echo, .other], [.echo, .other, Self.third], [Self.third]]
            let known = kinds.randomElement(using: &random)!
            let epoch = "w\(number)/1"
            workers[epoch] = Worker(load: WorkerLoad(concurrency: places), kinds: Set(known))
            bench.hello(epoch, kinds: known, credit: Int32(places), capacity: Int32(places))
        }
        bench.holdsClaims = true
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
                priority: isHog ? 9 : Int.random(in: -3...3, using: &random), since: bench.now,
                onBehalfOf: index % 5 == 4 && index % 2 == 0 ? person : nil)
        }
        submitted += jobs.count
        bench.submit(jobs)
        settle()
    }

    /// Reserves a place for a new job, as a submission does.
    mutating func submitAtOnce() {
        let person = "u\(Int.random(in: 0..<6, using: &random))"
        let job = ReadyJob.sample("j\(submitted)", userID: person, since: bench.now)
        submitted += 1
        guard let epoch = bench.reserve(1, kind: job.kind, person: person).first else {
            bench.submit([job])
            return settle()
        }
        bench.table[job.id] = DispatchBench.JobRow(job: job)
        bench.heldClaims.append(.init(job: job, worker: epoch))
        settle()
    }

    mutating func passTime() {
        bench.now = bench.now.advanced(by: .milliseconds(500))
        for epoch in workers.keys.sorted() {
            guard var worker = workers[epoch] else { continue }
            let ended = worker.ends.filter { $0.value <= bench.now }.keys.sorted { $0.jobID < $1.jobID }
            for run in ended {
                worker.ends[run] = nil
                _ = worker.load.finished(run, after: .seconds(1))
                worker.load.settled(run)
            }
            workers[epoch] = worker
            start(epoch)
            guard !ended.isEmpty else { continue }
            let credit = workers[epoch]?.load.credit ?? .init(free: 0, received: 0)
            bench.finish(ended, by: epoch, free: credit.free, received: credit.received)
            settle()
        }
        for epoch in workers.keys.sorted() {
            guard let load = workers[epoch]?.load else { continue }
            bench.say(.heartbeat(held: load.held, credit: load.credit), from: epoch)
            settle()
        }
    }

    /// Checks and commits the claims, and delivers the jobs to their workers.
    mutating func settle() {
        while !bench.heldClaims.isEmpty {
            checkTaken(bench.heldClaims, waiting: waiting())
            bench.commitClaims()
            deliver()
        }
        checkWaiting()
    }

    private mutating func deliver() {
        for (message, epoch) in bench.sent {
            guard case .jobs(let sequence, let jobs) = message else { continue }
            workers[epoch]?.load.take(jobs, sequence: sequence)
            start(epoch)
        }
        bench.sent = []
    }

    private mutating func start(_ epoch: String) {
        let now = bench.now
        while let job = workers[epoch]?.load.startNext(deadline: { _ in now }, now: now) {
            let seconds = job.person == "hog" ? 600 : Int.random(in: 1...20, using: &random)
            workers[epoch]?.ends[job.run] = now.advanced(by: .seconds(seconds))
        }
    }

    // MARK: Invariants

    /// The people and kinds with waiting jobs, and the highest urgency of each.
    private func waiting() -> [Waiting: Int] {
        var waiting: [Waiting: Int] = [:]
        for id in bench.state.readyRuns.keys {
            guard let job = bench.table[id]?.job else { continue }
            let key = Waiting(person: job.person, kind: job.kind)
            waiting[key] = max(urgency(of: job), waiting[key] ?? .min)
        }
        return waiting
    }

    /// Whether a worker knows the kind of waiting jobs and its limits allow another one.
    private func couldRun(_ jobs: Waiting, on epoch: String) -> Bool {
        workers[epoch]?.kinds.contains(jobs.kind) == true && !bench.state.limits.isFull(jobs.kind)
            && !bench.state.limits.fullPeople(of: jobs.kind).contains(jobs.person)
    }

    private func load(of person: String, on epoch: String) -> Int {
        bench.state.workers[epoch]?.backgroundLoad(of: person) ?? 0
    }

    /// Workers with one place are checked separately.
    private func places(of epoch: String) -> Int { bench.state.workers[epoch]?.backgroundPlaces ?? 0 }

    /// - Parameter waiting: the jobs that have been waiting all the time and still are.
    private mutating func checkTaken(_ claims: [DispatchAction.Claim], waiting: [Waiting: Int]) {
        for claim in claims {
            let (person, epoch, places) = (claim.job.person, claim.worker, places(of: claim.worker))
            guard person != SystemUser.id else {
                overtook[person] = []
                continue
            }
            let rivals = waiting.filter { couldRun($0.key, on: epoch) }
            let others = Set(rivals.keys.map(\.person)).subtracting([person])
            if places > 1 {
                #expect(load(of: person, on: epoch) <= PlaceShare.alone(of: places))
                // Others may have begun to wait after the person had more. Then the person gets no new place.
                if !others.isEmpty {
                    #expect(load(of: person, on: epoch) <= PlaceShare.whileOthersWait(of: places), "\(others) wait")
                }
            }
            let own = rivals.filter { $0.key.person == person }.values.max() ?? .min
            #expect(own <= urgency(of: claim.job))
            for other in others where load(of: other, on: epoch) < PlaceShare.whileOthersWait(of: places) && places > 1
            {
                #expect(overtook[other, default: []].insert(person).inserted, "\(other) waits")
            }
            overtook[person] = []
        }
    }

    private func urgency(of job: ReadyJob) -> Int {
        job.priority
            + Int(job.since.duration(to: bench.now).microseconds / DispatchBench.settings.ageing.microseconds)
    }

    /// Checks that nobody who waits is entitled to a free place.
    private func checkWaiting() {
        let waiting = waiting()
        for (epoch, worker) in bench.state.workers where worker.freeForBackground > 0 {
            let places = worker.backgroundPlaces
            let people = Set(waiting.keys.filter { couldRun($0, on: epoch) }.map(\.person))
            guard places > 1, !people.isEmpty else {
                // A single place is refused only to people with half of all such places while others wait.
                #expect(places > 1 || people.count != 1)
                continue
            }
            let share = people.count > 1 ? PlaceShare.whileOthersWait(of: places) : PlaceShare.alone(of: places)
            for person in people {
                #expect(load(of: person, on: epoch) >= share && person != SystemUser.id, "\(person) could run")
            }
        }
    }
}

@Suite("Random histories of shares")
struct ShareHistoryTests {
    @Test(
        "Nobody exceeds their share while others wait, nobody waits while a place of theirs is free, and all jobs end",
        arguments: 1...12 as ClosedRange<UInt64>)
    func history(seed: UInt64) {
        var history = ShareHistory(seed: seed)
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &history.random) {
            case 0..<3: history.submit()
            case 3..<5: history.submitAtOnce()
            default: history.passTime()
            }
        }
        let known = history.workers.values.reduce(into: Set<KindVersion>()) { $0.formUnion($1.kinds) }
        func left() -> [DispatchBench.JobRow] {
            history.bench.table.values.filter { !$0.isFinished && known.contains($0.job.kind) }
        }
        for _ in 0..<history.submitted where !left().isEmpty {
            // The longest jobs take ten minutes.
            history.bench.now = history.bench.now.advanced(by: .seconds(600))
            history.passTime()
        }
        #expect(left().isEmpty)
        #expect(history.bench.state.workers.values.allSatisfy { $0.load == 0 && $0.backgroundLoad(of: "hog") == 0 })
    }
}
