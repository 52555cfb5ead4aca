import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

/// Simulates workers that run jobs, miss heartbeats and die, over a connection that drops and duplicates messages.
private struct DispatchSimulation {
    struct Worker {
        var instance: String
        var held: [JobRun] = []
        var received: Int64 = 0
        var isWelcome = false
        let capacity = 3

        var credit: WorkerCredit { WorkerCredit(free: Int32(max(0, capacity - held.count)), received: received) }
    }

    var fixture = DispatchFixture(kinds: [
        JobKind(
            name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 3,
            maximumRunningPerUser: 2)
    ])
    var random: SeededRandom
    /// The workers by name.
    var workers: [String: Worker] = [:]
    var lives = 0
    var submitted = 0
    var isLossy = true

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// How many times a message is delivered.
    mutating func copies() -> Int { isLossy ? [0, 1, 1, 1, 1, 1, 1, 1, 1, 2].randomElement(using: &random)! : 1 }

    mutating func say(_ message: WorkerMessage, as worker: Worker) {
        for _ in 0..<copies() { fixture.say(message, from: worker.instance) }
    }

    /// Delivers the gateway's messages to the workers.
    mutating func deliver() {
        while !fixture.sent.isEmpty {
            let (message, instance) = fixture.sent.removeFirst()
            let name = WorkerInstance.name(of: instance)
            for _ in 0..<copies() {
                guard var worker = workers[name], worker.instance == instance else { break }
                switch message {
                case .welcome:
                    worker.isWelcome = true
                    workers[name] = worker
                    say(.heartbeat(held: worker.held, credit: worker.credit), as: worker)
                case .identify:
                    worker.isWelcome = false
                    workers[name] = worker
                    sayHello(worker)
                case .jobs(let sequence, let jobs):
                    if sequence > worker.received {
                        worker.received = sequence
                        worker.held += jobs.map(\.run)
                    }
                    workers[name] = worker
                case .stop(let runs):
                    worker.held.removeAll { runs.contains($0) }
                    workers[name] = worker
                }
            }
        }
    }

    mutating func sayHello(_ worker: Worker) {
        let name = WorkerInstance.name(of: worker.instance)
        let kinds: [KindVersion] = name == "w2" ? [.echo, .other] : [.echo]
        say(.hello(WorkerIntroduction(name: name, instance: worker.instance, processID: 1, kinds: kinds)), as: worker)
    }

    mutating func start(_ name: String) {
        lives += 1
        let worker = Worker(instance: "\(name)/\(1_000_000 + lives)")
        workers[name] = worker
        sayHello(worker)
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25:
            let jobs = (0..<Int.random(in: 1...4, using: &random)).map { index in
                ReadyJob.sample(
                    "job\(submitted + index)", userID: "u\(Int.random(in: 0..<3, using: &random))",
                    kind: chance(20) ? .other : .echo, priority: Int.random(in: -5...5, using: &random),
                    since: fixture.now)
            }
            submitted += jobs.count
            fixture.submit(jobs)
        case 25..<65:
            guard let name = workers.keys.sorted().randomElement(using: &random), var worker = workers[name],
                !worker.held.isEmpty
            else { break }
            let run = worker.held.remove(at: Int.random(in: worker.held.indices, using: &random))
            workers[name] = worker
            // The table decides whether the outcome counts.
            if fixture.table[run.jobID]?.run == run.run, fixture.table[run.jobID]?.worker != nil {
                fixture.table[run.jobID]?.isFinished = true
                fixture.table[run.jobID]?.worker = nil
            }
            say(.done(ended: [RunReport(run: run, outcome: .finished)], credit: worker.credit), as: worker)
        case 65..<70:
            guard isLossy else { break }
            start(["w1", "w2", "w3"].randomElement(using: &random)!)
        case 70..<73:
            guard let id = fixture.table.keys.sorted().randomElement(using: &random), let row = fixture.table[id],
                !row.isFinished
            else { break }
            fixture.table[id]?.isFinished = true
            fixture.table[id]?.worker = nil
            fixture.carryOut(
                fixture.state.cancelled(
                    JobRun(jobID: id, run: row.run), userID: row.job.userID, worker: row.worker, now: fixture.now))
        case 73..<80:
            if fixture.holdsClaims { fixture.commitClaims() }
            fixture.holdsClaims = isLossy && chance(50)
            // At times two payloads fill a write.
            fixture.maximumClaimedBytes = chance(50) ? 3 : nil
        case 80..<81:
            guard isLossy else { break }
            // Claims that were not committed are lost. The workers have not said hello to the new gateway yet.
            fixture.restartGateway(isLongAgo: chance(30))
            for name in workers.keys { workers[name]?.isWelcome = false }
        default:
            passTime()
        }
        deliver()
    }

    /// Lets a quarter of a second pass; workers send a heartbeat every two seconds.
    mutating func passTime() {
        fixture.advance(by: .milliseconds(250))
        for name in workers.keys.sorted() where fixture.now.microseconds / 250_000 % 8 == 0 {
            guard let worker = workers[name] else { continue }
            if worker.isWelcome {
                say(.heartbeat(held: worker.held, credit: worker.credit), as: worker)
            } else {
                sayHello(worker)
            }
        }
        deliver()
    }

    func check() {
        let state = fixture.state
        var slots: [String: Int] = [:]
        for worker in state.workers.values {
            #expect(worker.free >= 0)
            #expect(worker.reserved >= 0)
            if worker.runsGroup {
                // Jobs beside the suspects were cleared, or were handed out with them.
                let suspects = worker.held.values.count { $0.job.isSuspect }
                #expect(suspects + worker.reserved > 0)
                #expect(worker.free == 0)
            } else {
                #expect(worker.held.values.allSatisfy { !$0.job.isSuspect })
            }
            #expect(worker.heldBytes == worker.held.values.reduce(0) { $0 + $1.bytes })
            for (id, held) in worker.held {
                slots[id, default: 0] += 1
                #expect(held.job.id == id)
            }
        }
        for orphans in state.orphans.values { for id in orphans.keys { slots[id, default: 0] += 1 } }
        for id in state.readyRuns.keys { slots[id, default: 0] += 1 }
        for claim in fixture.heldClaims { slots[claim.job.id, default: 0] += 1 }
        #expect(slots.values.allSatisfy { $0 == 1 })
        let reserved = state.workers.values.reduce(0) { $0 + $1.reserved }
        #expect(reserved <= fixture.heldClaims.count)
        let grouped = state.groups.values.reduce(0) { $0 + $1.members.count }
        #expect(grouped + state.ready.count == state.readyRuns.count)
        #expect(state.groups.values.allSatisfy { !$0.isEmpty })
        for (name, group) in state.groups {
            let strangers = group.members.filter { $0.group != name }
            #expect(strangers.isEmpty)
        }
        checkLimits()
        // Every unfinished job is known.
        for (id, row) in fixture.table where !row.isFinished && slots[id] == nil {
            Issue.record("job \(id) is nowhere: \(row)")
        }
    }

    /// The counted runs are those handed out or being claimed, and stay within the limits.
    func checkLimits() {
        let state = fixture.state
        var held = fixture.heldClaims.map(\.job)
        for worker in state.workers.values { held += worker.held.values.map(\.job) }
        for orphans in state.orphans.values { held += orphans.values.map(\.job) }
        let others = held.filter { $0.kind == .other }
        let (counted, found) = (state.limits.running["other.kind"], Set(others.map(\.id)))
        #expect(counted == found)
        #expect(found.count <= 3)
        for user in Set(others.map(\.userID)) {
            let count = others.count { $0.userID == user }
            #expect(count <= 2)
        }
    }
}

@Suite("Random histories of the dispatcher")
struct DispatchHistoryTests {
    @Test("No step breaks an invariant, and every job ends once faults stop", arguments: 1...6 as ClosedRange<UInt64>)
    func historiesOfSteps(seed: UInt64) async {
        var world = DispatchSimulation(seed: seed)
        for name in ["w1", "w2", "w3"] { world.start(name) }
        for _ in 0..<1_500 {
            world.step()
            world.check()
            // Tests beside this one have only as many threads as there are processors.
            await Task.yield()
        }
        world.isLossy = false
        world.fixture.holdsClaims = false
        world.fixture.commitClaims()
        for name in ["w1", "w2", "w3"] { world.start(name) }
        world.deliver()
        for _ in 0..<20_000 where world.fixture.table.values.contains(where: { !$0.isFinished }) {
            for name in world.workers.keys.sorted() {
                guard var worker = world.workers[name], let run = worker.held.popLast() else { continue }
                world.workers[name] = worker
                if world.fixture.table[run.jobID]?.run == run.run, world.fixture.table[run.jobID]?.worker != nil {
                    world.fixture.table[run.jobID]?.isFinished = true
                    world.fixture.table[run.jobID]?.worker = nil
                }
                world.say(.done(ended: [RunReport(run: run, outcome: .finished)], credit: worker.credit), as: worker)
                world.deliver()
            }
            world.passTime()
            world.check()
            await Task.yield()
        }
        let left = world.fixture.table.filter { !$0.value.isFinished }
        #expect(left.isEmpty)
        #expect(world.fixture.state.readyRuns.isEmpty)
        #expect(world.fixture.state.groups.isEmpty)
        #expect(world.fixture.state.limits.running.values.allSatisfy { $0.isEmpty })
        #expect(world.fixture.state.workers.values.allSatisfy { $0.reserved == 0 })
    }
}
