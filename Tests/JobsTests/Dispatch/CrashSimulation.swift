import Contracts
import Model
import TestSupport

@testable import Jobs

/// Simulates workers that run jobs, are killed by poison jobs or by the test, and restart, on a simulated clock.
struct CrashSimulation {
    struct Worker {
        var instance: String
        /// When each run began.
        var held: [JobRun: MonotonicInstant] = [:]
        var received: Int64 = 0
    }

    var fixture = DispatchFixture()
    var random: SeededRandom
    /// The workers by name.
    var workers: [String: Worker] = [:]
    /// When workers that are down restart, by name.
    var returns: [String: MonotonicInstant] = [:]
    let slots: Int32
    /// How many jobs a worker requests.
    let credit: Int32
    let runTime: Duration
    /// How long a worker is down after it was killed.
    var pause = Duration.milliseconds(500)
    /// Jobs that kill each worker on which they run, after a while.
    var poison: Set<String> = []
    var poisonTime = Duration.zero
    /// The jobs that each dead worker held at its death. The gateway learns of the death later, and may hand out or
    /// cancel jobs until then; what it knows is in the fixture's ``DispatchFixture/deaths``.
    var deaths: [[String]] = []
    /// The runs that reached a living worker.
    var begun: Set<JobRun> = []
    var lives = 0

    init(workers count: Int, slots: Int32, credit: Int32? = nil, runTime: Duration = .seconds(3), seed: UInt64 = 1) {
        (self.slots, self.credit, self.runTime) = (slots, credit ?? slots, runTime)
        random = SeededRandom(seed: seed)
        for index in 0..<count { start("w\(index)") }
    }

    var names: [String] { workers.keys.sorted() }
    var left: [String] { fixture.table.filter { !$0.value.isFinished }.map(\.key) }
    var quarantined: Set<String> { Set(fixture.table.filter(\.value.isQuarantined).map(\.key)) }

    private func credit(of worker: Worker) -> WorkerCredit {
        WorkerCredit(free: max(0, credit - Int32(worker.held.count)), received: worker.received)
    }

    private mutating func say(_ worker: Worker) {
        fixture.say(.heartbeat(held: Array(worker.held.keys), credit: credit(of: worker)), from: worker.instance)
    }

    mutating func start(_ name: String) {
        lives += 1
        let worker = Worker(instance: "\(name)/\(1_000_000 + lives)")
        (workers[name], returns[name]) = (worker, nil)
        fixture.hello(worker.instance, capacity: slots)
        say(worker)
        deliver()
    }

    mutating func kill(_ name: String) {
        guard let worker = workers.removeValue(forKey: name) else { return }
        deaths.append(worker.held.keys.map(\.jobID).sorted())
        returns[name] = fixture.now.advanced(by: pause)
    }

    /// Delivers the gateway's messages to the workers.
    mutating func deliver() {
        while !fixture.sent.isEmpty {
            let (message, instance) = fixture.sent.removeFirst()
            let name = WorkerInstance.name(of: instance)
            guard var worker = workers[name], worker.instance == instance else { continue }
            switch message {
            case .jobs(let sequence, let jobs):
                worker.received = sequence
                for job in jobs { worker.held[job.run] = fixture.now }
                begun.formUnion(jobs.map(\.run))
            case .stop(let runs):
                for run in runs { worker.held[run] = nil }
            case .identify:
                workers[name] = worker
                fixture.hello(instance, capacity: slots)
                say(worker)
                continue
            case .welcome:
                continue
            }
            workers[name] = worker
        }
    }

    /// Lets time pass in small steps, in which poison jobs kill, runs end, and workers send messages and restart.
    mutating func pass(_ duration: Duration, step: Duration = .milliseconds(50)) {
        let end = fixture.now.advanced(by: duration)
        while fixture.now < end {
            fixture.now = fixture.now.advanced(by: step)
            for name in names {
                let runs = workers[name]?.held.filter { poison.contains($0.key.jobID) } ?? [:]
                if runs.values.contains(where: { $0.advanced(by: poisonTime) <= fixture.now }) { kill(name) }
            }
            for (name, time) in returns.sorted(by: { $0.key < $1.key }) where time <= fixture.now { start(name) }
            let isTick = fixture.now.microseconds / 250_000 != (fixture.now.microseconds - step.microseconds) / 250_000
            if isTick { fixture.carryOut(fixture.state.tick(now: fixture.now)) }
            for name in names {
                guard var worker = workers[name] else { continue }
                let ended = worker.held.filter { $0.value.advanced(by: runTime) <= fixture.now }.keys
                    .sorted { $0.jobID < $1.jobID }
                for run in ended { worker.held[run] = nil }
                workers[name] = worker
                if !ended.isEmpty {
                    fixture.finish(
                        ended, by: worker.instance, free: credit(of: worker).free, received: worker.received)
                }
                if isTick, fixture.now.microseconds / 250_000 % 8 == 0 { say(worker) }
                deliver()
            }
            deliver()
        }
    }

    /// Restarts the gateway while the workers continue.
    mutating func restartGateway(isLongAgo: Bool = false) {
        fixture.restartGateway(isLongAgo: isLongAgo)
        for name in names { if let worker = workers[name] { say(worker) } }
        deliver()
    }
}
