import Contracts
import Model
import TestSupport

@testable import Jobs

/// Simulates workers that run jobs, are killed by poison jobs or by the test, and restart, on a simulated clock.
struct CrashSimulation {
    struct Worker {
        var epoch: String
        /// When each run began.
        var held: [JobRun: MonotonicInstant] = [:]
        var received: Int64 = 0
    }

    var bench = DispatchBench()
    var random: SeededRandom
    /// The workers by name.
    var workers: [String: Worker] = [:]
    /// When workers that are down restart, by name.
    var returns: [String: MonotonicInstant] = [:]
    let places: Int32
    /// How many jobs a worker requests.
    let credit: Int32
    let runTime: Duration
    /// How long a worker is down after it was killed.
    var pause = Duration.milliseconds(500)
    /// Jobs that kill each worker on which they run, after a while.
    var poison: Set<String> = []
    var poisonTime = Duration.zero
    /// The jobs that each dead worker held at its death. The gateway learns of the death later, and may hand out or
    /// cancel jobs until then; what it knows is in the bench's ``DispatchBench/deaths``.
    var deaths: [[String]] = []
    /// The runs that reached a living worker.
    var begun: Set<JobRun> = []
    var lives = 0

    init(workers count: Int, places: Int32, credit: Int32? = nil, runTime: Duration = .seconds(3), seed: UInt64 = 1) {
        (self.places, self.credit, self.runTime) = (places, credit ?? places, runTime)
        random = SeededRandom(seed: seed)
        for index in 0..<count { start("w\(index)") }
    }

    var names: [String] { workers.keys.sorted() }
    var left: [String] { bench.table.filter { !$0.value.isFinished }.map(\.key) }
    var setAside: Set<String> { Set(bench.table.filter(\.value.isSetAside).map(\.key)) }

    private func credit(of worker: Worker) -> WorkerCredit {
        WorkerCredit(free: max(0, credit - Int32(worker.held.count)), received: worker.received)
    }

    private mutating func say(_ worker: Worker) {
        bench.say(.heartbeat(held: Array(worker.held.keys), credit: credit(of: worker)), from: worker.epoch)
    }

    mutating func start(_ name: String) {
        lives += 1
        let worker = Worker(epoch: "\(name)/\(1_000_000 + lives)")
        (workers[name], returns[name]) = (worker, nil)
        bench.hello(worker.epoch, capacity: places)
        say(worker)
        deliver()
    }

    mutating func kill(_ name: String) {
        guard let worker = workers.removeValue(forKey: name) else { return }
        deaths.append(worker.held.keys.map(\.jobID).sorted())
        returns[name] = bench.now.advanced(by: pause)
    }

    /// Delivers the gateway's messages to the workers.
    mutating func deliver() {
        while !bench.sent.isEmpty {
            let (message, epoch) = bench.sent.removeFirst()
            let name = WorkerEpoch.name(of: epoch)
            guard var worker = workers[name], worker.epoch == epoch else { continue }
            switch message {
            case .jobs(let sequence, let jobs):
                worker.received = sequence
                for job in jobs { worker.held[job.run] = bench.now }
                begun.formUnion(jobs.map(\.run))
            case .stop(let runs):
                for run in runs { worker.held[run] = nil }
            case .identify:
                workers[name] = worker
                bench.hello(epoch, capacity: places)
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
        let end = bench.now.advanced(by: duration)
        while bench.now < end {
            bench.now = bench.now.advanced(by: step)
            for name in names {
                let runs = workers[name]?.held.filter { poison.contains($0.key.jobID) } ?? [:]
                if runs.values.contains(where: { $0.advanced(by: poisonTime) <= bench.now }) { kill(name) }
            }
            for (name, time) in returns.sorted(by: { $0.key < $1.key }) where time <= bench.now { start(name) }
            let isTick = bench.now.microseconds / 250_000 != (bench.now.microseconds - step.microseconds) / 250_000
            if isTick { bench.carryOut(bench.state.tick(now: bench.now)) }
            for name in names {
                guard var worker = workers[name] else { continue }
                let ended = worker.held.filter { $0.value.advanced(by: runTime) <= bench.now }.keys
                    .sorted { $0.jobID < $1.jobID }
                for run in ended { worker.held[run] = nil }
                workers[name] = worker
                if !ended.isEmpty {
                    bench.finish(
                        ended, by: worker.epoch, free: credit(of: worker).free, received: worker.received)
                }
                if isTick, bench.now.microseconds / 250_000 % 8 == 0 { say(worker) }
                deliver()
            }
            deliver()
        }
    }

    /// Restarts the gateway while the workers continue.
    mutating func restartGateway(isLongAgo: Bool = false) {
        bench.restartGateway(isLongAgo: isLongAgo)
        for name in names { if let worker = workers[name] { say(worker) } }
        deliver()
    }
}
