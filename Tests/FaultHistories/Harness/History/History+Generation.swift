import TestSupport

extension History {
    /// The history that a seed determines.
    package init(seed: UInt64) {
        var generator = HistoryGenerator(seed: seed)
        self = generator.history()
    }
}

/// Draws a history's steps. It keeps track of the state after each step, so that few steps have no effect.
private struct HistoryGenerator: RandomDrawing {
    private let seed: UInt64
    var random: SeededRandom
    private var operations: [Operation] = []
    private var down: Set<Role> = []
    private var stopped: Set<Role> = []
    private var jobs: [SubmittedJob] = []
    private var searches = 0
    /// The number of steps before a worker is lost for longer than a lease; `nil` in most histories, since such a loss
    /// takes long.
    private var leaseLoss: Int?
    /// The number of steps before workers are killed in quick succession, each while it holds jobs.
    private var kills: Int?
    private var refusesEnds = false
    /// Separate generators, so that they do not change the other steps of a seed.
    private var poison: SeededRandom
    private var quotas: SeededRandom

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
        poison = SeededRandom(seed: seed ^ 0x706f_6973_6f6e)
        quotas = SeededRandom(seed: seed ^ 0x7175_6f74_6173)
        if chance(3) { leaseLoss = number(0...12) }
        if chance(2) { kills = number(0...12) }
    }

    mutating func history() -> History {
        var setup = Setup(
            firstProgram: chance(2) ? "concert-worker" : "sync-worker", concurrency: number(1...4),
            requestsPerSecond: number(3...5), latency: number(1...60))
        setup.drawQuotas(from: &quotas, seed: seed)
        let count = number(12...32)
        while operations.count < count {
            if let steps = leaseLoss, operations.count >= steps {
                leaseLoss = nil
                loseLease()
            }
            if let steps = kills, operations.count >= steps {
                kills = nil
                killHolders()
            }
            addStep()
        }
        return History(seed: seed, setup: setup, operations: History.addingShares(to: operations, seed: seed))
    }

    private typealias Setup = History.Setup

    // MARK: Steps

    private mutating func addStep() {
        // A supervisor would soon start or continue a process that does not run.
        if let role = stopped.sorted().first, chance(4) {
            stopped.remove(role)
            operations.append(.resume(role: role))
            return
        }
        if let role = down.sorted().first, chance(2) {
            down.remove(role)
            operations.append(.start(role: role, faults: messageFaults(of: role)))
            return
        }
        // Each refused attempt doubles the pause before the next one.
        if refusesEnds, chance(4) { return refuseEnds(false) }
        switch number(0..<100) {
        case 0..<18: operations.append(.submit(job: newJob()))
        case 18..<28: addBatch()
        case 28..<36: addBurst()
        case 36..<41: addAgain()
        case 41..<44: cancelSteps()
        case 44..<49: pickJob { .cancel(tag: $0) }
        case 49..<53: addRequeue()
        case 53..<61: addSearch()
        case 61..<63 where searches > 0: operations.append(.cancelSearch(number: number(1...searches)))
        case 63..<74:
            disturb {
                .kill(role: $0)
            } then: {
                $0.down.insert($1)
            }
        case 74..<80:
            disturb {
                .stop(role: $0)
            } then: {
                $0.stopped.insert($1)
            }
        case 80..<84:
            disturb {
                .drain(role: $0)
            } then: {
                $0.down.insert($1)
            }
        // The two are less than 24 hours apart, for which an Idempotency-Key is kept.
        case 84..<88:
            operations.append(
                .setClock(offsetSeconds: [-28_800, -60, -2, 2, 60, 3_600, 43_200].random(&random)))
        case 88..<92: addUpstreamFault()
        case 92..<94 where !refusesEnds: refuseEnds(true)
        default: operations.append(.pause(milliseconds: [5, 20, 50, 100, 200, 300].random(&random)))
        }
    }

    private mutating func newJob(user: Int? = nil) -> SubmittedJob {
        var job = SubmittedJob(tag: jobs.count + 1, user: user ?? number(1...History.users))
        job.sleep = [0, 0, 5, 20, 50, 50, 100, 300].random(&random)
        if chance(3) { job.priority = [-5, 5].random(&random) }
        if chance(5) { job.failures = number(1...History.maximumAttempts) }
        if chance(6) {
            job.uniqueKey = number(1...3)
            (job.sleep, job.failures, job.priority) = (100, 0, 0)
        } else if chance(6) {
            job.delay = [100, 500, 1_500].random(&random)
        } else if chance(20) {
            // Long enough for several faults.
            (job.sleep, job.failures) = (1_500, 0)
        }
        if job.uniqueKey == nil, chance(4) { takeSteps(&job) }
        job.isIdempotent = chance(4)
        jobs.append(job)
        return job
    }

    /// Turns a job into one with steps, which take at most two seconds in total. The handler refuses one job in ten.
    private mutating func takeSteps(_ job: inout SubmittedJob) {
        job.failures = 0
        job.sleep = [0, 2, 5, 10, 30].random(&random)
        job.steps = chance(10) ? 0 : number(1...70)
    }

    private mutating func addBatch() {
        let user = number(1...History.users)
        operations.append(
            .batch(
                jobs: (0..<number(2...12)).map { _ in
                    var job = newJob(user: user)
                    // A key is for the whole request.
                    job.isIdempotent = false
                    jobs[jobs.count - 1] = job
                    return job
                }))
    }

    private mutating func addBurst() {
        let kills = !isDisturbed(.gateway) && chance(2)
        operations.append(.burst(jobs: (0..<number(3...10)).map { _ in newJob() }, kills: kills))
        if kills { down.insert(.gateway) }
    }

    private mutating func addAgain() {
        let candidates = jobs.filter(\.isIdempotent)
        if let job = candidates.randomElement(using: &random) { operations.append(.again(tag: job.tag)) }
    }

    private mutating func pickJob(_ operation: (Int) -> Operation) {
        if let job = jobs.suffix(20).randomElement(using: &random) { operations.append(operation(job.tag)) }
    }

    /// Prefers a job that fails: most jobs succeed and cannot be requeued.
    private mutating func addRequeue() {
        let failing = jobs.suffix(20).filter { $0.failures == History.maximumAttempts || $0.steps == 0 }
        guard let job = failing.randomElement(using: &random) else { return pickJob { .requeue(tag: $0) } }
        operations.append(.requeue(tag: job.tag))
    }

    /// Cancels a job that has probably taken some of its steps, and not all.
    private mutating func cancelSteps() {
        var job = newJob()
        (job.steps, job.sleep, job.failures, job.priority) = (number(40...70), 30, 0, 5)
        (job.uniqueKey, job.delay, job.isIdempotent) = (nil, nil, false)
        jobs[jobs.count - 1] = job
        operations += [
            .submit(job: job), .pause(milliseconds: [200, 400, 600].random(&random)), .cancel(tag: job.tag),
        ]
    }

    private mutating func addSearch() {
        searches += 1
        let artists = (0..<number(3...10)).map { _ in number(0..<HistoryRun.artistCount) }
        var burst = [
            SubmittedSearch(number: searches, user: number(1...History.users), artists: Set(artists).sorted())
        ]
        // Each search has one artist: the upstream allows few requests.
        for _ in 0..<[0, 0, 1, 2, 4].random(&quotas) {
            searches += 1
            let artist = Int.random(in: 0..<HistoryRun.artistCount, using: &quotas)
            burst.append(SubmittedSearch(number: searches, user: burst[0].user, artists: [artist]))
        }
        guard burst.count == 1 else { return operations.append(.searchBurst(searches: burst)) }
        operations.append(.search(number: burst[0].number, user: burst[0].user, artists: burst[0].artists))
    }

    private mutating func disturb(
        _ operation: (Role) -> Operation, then note: (inout HistoryGenerator, Role) -> Void
    ) {
        guard let role = Role.allCases.filter({ !isDisturbed($0) }).randomElement(using: &random) else { return }
        operations.append(operation(role))
        note(&self, role)
    }

    /// Stops a worker in the middle of a job until the lease is over and another worker has the job; then continues it.
    private mutating func loseLease() {
        reviveAll()
        let (user, role) = (number(1...History.users), Role.workers.random(&random))
        operations += [
            .pause(milliseconds: 700),
            // There is one job for each worker.
            .batch(jobs: [longJob(user: user), longJob(user: user)]), .pause(milliseconds: 100), .stop(role: role),
            .pause(milliseconds: 4_500), .resume(role: role),
        ]
    }

    /// Kills workers, sometimes together with the gateway, several times in a row while they hold jobs: their jobs
    /// become a group, which is halved. In every third case one of the jobs also kills its workers.
    private mutating func killHolders() {
        reviveAll()
        let user = number(1...History.users)
        let first = jobs.count
        operations.append(
            .batch(
                jobs: (0..<number(3...10)).map { _ in
                    var job = SubmittedJob(tag: jobs.count + 1, user: user)
                    job.sleep = [100, 300, 600, 900].random(&random)
                    if chance(3) { takeSteps(&job) }
                    jobs.append(job)
                    return job
                }))
        poisonOne(of: first..<jobs.count)
        for _ in 0..<number(2...5) {
            let role = Role.workers.random(&random)
            var killed = [role]
            operations.append(.killHolder(role: role))
            if chance(4) {
                let other = Role.allCases.filter { $0 != role }.random(&random)
                operations.append(.kill(role: other))
                killed.append(other)
            }
            operations += killed.sorted().map { .start(role: $0, faults: "") }
        }
    }

    /// Sometimes makes a job of the batch that was added last kill its workers.
    private mutating func poisonOne(of range: Range<Int>) {
        guard poison.next() % 3 == 0, let index = range.randomElement(using: &poison),
            case .batch(var batch)? = operations.popLast()
        else { return }
        (jobs[index].sleep, jobs[index].steps) = (2_000, nil)
        jobs[index].killsAfter = [0, 100, 400].random(&poison)
        batch[index - range.lowerBound] = jobs[index]
        operations.append(.batch(jobs: batch))
    }

    private mutating func reviveAll() {
        for role in stopped.sorted() { operations.append(.resume(role: role)) }
        for role in down.sorted() { operations.append(.start(role: role, faults: "")) }
        (stopped, down) = ([], [])
    }

    private mutating func refuseEnds(_ isRefused: Bool) {
        refusesEnds = isRefused
        operations.append(.refuseEnds(isRefused: isRefused))
    }

    private mutating func longJob(user: Int) -> SubmittedJob {
        var job = SubmittedJob(tag: jobs.count + 1, user: user)
        (job.sleep, job.priority) = (3_000, 9)
        jobs.append(job)
        return job
    }

    private mutating func addUpstreamFault() {
        let faults = ["status500", "status503", "drop", "truncated", "html", "slow", "closeAfterResponse", "nullItems"]
        operations.append(.injectFault(fault: faults.random(&random), times: chance(4) ? 15 : number(1...3)))
    }

    /// Most processes restart without message faults.
    private mutating func messageFaults(of role: Role) -> String {
        guard chance(3) else { return "" }
        let messages =
            role == .gateway ? ["WELCOME", "JOBS", "STOP", "IDENTIFY"] : ["HELLO", "HEARTBEAT", "DONE", "METRICS"]
        return (0..<number(1...2)).map { _ in
            "\(["drop", "double"].random(&random)):\(messages.random(&random)):\(number(1...4))"
        }.joined(separator: ",")
    }

    private func isDisturbed(_ role: Role) -> Bool { down.contains(role) || stopped.contains(role) }
}
