import Collections
import Contracts
import Model

/// The jobs that a worker holds and how many more it can take: ``WorkerRuntime`` without input and output.
struct WorkerLoad {
    /// The running time of the jobs that may wait in a worker beyond its slots.
    static let prefetchTime = Duration.milliseconds(20)
    /// The most jobs that may wait in a worker beyond its slots, however short they are.
    static let maximumPrefetch = 8_192
    /// Jobs are handed back if the waiting ones would take longer than this, even if each took only the shortest recent
    /// time.
    static let longestWait = Duration.milliseconds(100)
    /// The smallest number of runs whose shortest time is meaningful.
    static let comparedRuns = 8
    /// No jobs are handed back while a recent run took less than this: a busy machine makes every run a little longer.
    static let longRun = Duration.milliseconds(5)
    /// The age from which unfinished runs count as long. Younger ones may not even have begun.
    static let longAge = Duration.milliseconds(400)

    /// The most outcomes that a damaged page keeps from being written and that take no slot: as many as fit on a few
    /// pages. If the database accepts no outcomes at all, no more jobs than these run in vain.
    static let maximumUnwritable = 100

    let concurrency: Int
    /// How many slots jobs below interactive priority may take at once; the others are reserved for interactive jobs.
    let backgroundSlots: Int
    private(set) var waiting = WaitingBackground()
    /// Interactive jobs that wait. They start before all others.
    private(set) var waitingInteractive: Deque<AssignedJob> = []
    private(set) var running: [JobRun: Running] = [:]
    private var runningInteractive = 0
    /// How many of the other running jobs belong to each person.
    private var runningOfPeople: [String: Int] = [:]
    /// Runs that have ended but whose outcome is not durable yet.
    private(set) var finishing: Set<JobRun> = []
    /// The finishing runs whose outcome cannot be written because a page is damaged.
    private var unwritable: Set<JobRun> = []
    private(set) var received: Int64 = 0
    private var runTimes = RunTimes()
    /// When a start was last tried.
    private var latest: MonotonicInstant?
    /// When ``excludePause(longerThan:now:)`` was last called.
    private var lastTick: MonotonicInstant?
    /// The shortest handler time since the last comparison, in microseconds, and the number of handlers since then.
    private var shortest = (time: Double.infinity, count: 0)
    var isDraining = false
    /// Whether the worker cannot work at present because it lacks file descriptors.
    var refusesWork = false
    /// Whether jobs that arrive are handed back at once.
    var takesNothing: Bool { isDraining || refusesWork }

    init(concurrency: Int) {
        self.concurrency = concurrency
        backgroundSlots = JobPriority.backgroundSlots(of: concurrency)
    }

    var heldCount: Int { waiting.count + waitingInteractive.count + running.count + finishing.count }

    var held: [JobRun] { waitingInteractive.map(\.run) + waiting.inOrder.map(\.run) + running.keys + finishing }

    var isEmpty: Bool { heldCount == 0 }

    var credit: WorkerCredit {
        guard !takesNothing else { return WorkerCredit(free: 0, received: received) }
        // However many jobs wait here, the credit counts free slots that are reserved for interactive jobs, and free
        // slots that nobody who waits here may take because of their share.
        let open =
            !waiting.isEmpty && isBlocked
            ? concurrency - running.count - waitingInteractive.count
            : concurrency - backgroundSlots - runningInteractive - waitingInteractive.count
        let present = heldCount - min(unwritable.count, Self.maximumUnwritable)
        return WorkerCredit(free: Int32(max(0, open, concurrency + prefetch - present)), received: received)
    }

    private var areBackgroundSlotsTaken: Bool {
        running.count >= concurrency || running.count - runningInteractive >= backgroundSlots
    }

    /// Whether none of the waiting jobs below interactive priority may start.
    private var isBlocked: Bool {
        areBackgroundSlotsTaken || allHaveTheirShare
    }

    /// Whether everybody with waiting jobs below interactive priority has their share of the slots.
    private var allHaveTheirShare: Bool { waiting.next(running: runningOfPeople, slots: backgroundSlots) == nil }

    /// Whether a waiting job may start.
    var mayStartNext: Bool {
        running.count < concurrency && !(waitingInteractive.isEmpty && (waiting.isEmpty || isBlocked))
    }

    private var prefetch: Int {
        guard let average = runTimes.average else { return 0 }
        let time = max(average, slowestShareTime, 1)
        return min(Self.maximumPrefetch, Int(Double(backgroundSlots) * Double(Self.prefetchTime.microseconds) / time))
    }

    /// The longest run time, in microseconds, of the people who have half of the slots or more: their average, or the
    /// age of their youngest run once that counts as long. Others' run times do not matter, since they get few more
    /// slots.
    private var slowestShareTime: Double {
        let share = max(
            SlotShare.whileOthersWait(of: backgroundSlots), min(2, SlotShare.alone(of: backgroundSlots)))
        var slowest = 0.0
        for (person, count) in runningOfPeople where count >= share {
            let youngest = running.values.lazy.filter { !$0.job.isInteractive && $0.job.person == person }
                .map(\.startedAt).max()
            slowest = max(slowest, runTimes.average(of: person))
            guard let youngest, let latest, case let age = youngest.duration(to: latest), age >= Self.longAge else {
                continue
            }
            slowest = max(slowest, Double(age.microseconds))
        }
        return slowest
    }

    /// Adds the jobs of a message; a repeated message is ignored.
    mutating func accept(_ jobs: [AssignedJob], sequence: Int64) {
        guard sequence > received else { return }
        received = sequence
        for job in jobs {
            if job.isInteractive { waitingInteractive.append(job) } else { waiting.append(job) }
        }
    }

    /// Removes the next job that may start, and counts it as running.
    ///
    /// - Parameter task: the task that will run it, if that is known.
    mutating func startNext(
        deadline: (AssignedJob) -> MonotonicInstant, now: MonotonicInstant, task: Task<Void, Never>? = nil
    ) -> AssignedJob? {
        latest = now
        guard running.count < concurrency, let job = popNext() else { return nil }
        if job.isInteractive { runningInteractive += 1 } else { runningOfPeople[job.person, default: 0] += 1 }
        running[job.run] = Running(job: job, startedAt: now, deadline: deadline(job), task: task)
        return job
    }

    private mutating func popNext() -> AssignedJob? {
        if let job = waitingInteractive.popFirst() { return job }
        return areBackgroundSlotsTaken
            ? nil : waiting.popNext(running: runningOfPeople, slots: backgroundSlots)
    }

    private mutating func removeRunning(_ run: JobRun) -> Running? {
        guard let removed = running.removeValue(forKey: run) else { return nil }
        if removed.job.isInteractive {
            runningInteractive -= 1
        } else if let index = runningOfPeople.index(forKey: removed.job.person) {
            runningOfPeople.values[index] -= 1
            if runningOfPeople.values[index] == 0 { runningOfPeople.remove(at: index) }
        }
        return removed
    }

    /// Sets the task of a run.
    mutating func started(_ run: JobRun, task: Task<Void, Never>) {
        running[run]?.task = task
    }

    /// Moves a run whose handler returned to the finishing ones; returns `nil` if the run was taken away meanwhile.
    ///
    /// - Parameter time: how long the handler took, not including its wait for a thread.
    mutating func finished(_ run: JobRun, after time: Duration) -> Running? {
        guard let ended = removeRunning(run) else { return nil }
        let time = Double(time.microseconds)
        runTimes.record(time, of: ended.job.isInteractive ? nil : ended.job.person)
        shortest = (min(shortest.time, time), shortest.count + 1)
        finishing.insert(run)
        return ended
    }

    /// Removes a finishing run whose outcome is durable or refused.
    mutating func removeFinishing(_ run: JobRun) {
        finishing.remove(run)
        unwritable.remove(run)
    }

    /// Notes that a finishing run's outcome cannot be written because a page is damaged, so that it takes no slot.
    ///
    /// - Returns: whether that was not known before.
    mutating func foundUnwritable(_ run: JobRun) -> Bool {
        finishing.contains(run) && unwritable.insert(run).inserted
    }

    /// Removes waiting jobs that other workers could run much sooner, and counts them as finishing. There are such jobs
    /// when recent jobs took much longer than the earlier ones that led the worker to request so many.
    ///
    /// The decision is based on the shortest time of as many runs as there are slots, and on the age of the youngest
    /// unfinished run. So single runs that were delayed or are slow do not matter.
    mutating func removeExcess(now: MonotonicInstant) -> [AssignedJob] {
        var time = 0.0
        if hasNews {
            time = shortest.time
            shortest = (.infinity, 0)
        }
        // A person at their share waits for one of their own runs to end, however few jobs wait.
        guard !waiting.isEmpty, allHaveTheirShare || waiting.count > backgroundSlots else { return [] }
        if isBlocked, let youngest = runsAhead.map(\.startedAt).max() {
            let age = youngest.duration(to: now)
            if age >= Self.longAge { time = max(time, Double(age.microseconds)) }
        }
        let rounds = max(1, Double(waiting.count) / Double(backgroundSlots))
        guard time >= Double(Self.longRun.microseconds), rounds * time > Double(Self.longestWait.microseconds) else {
            return []
        }
        runTimes.raise(to: time)
        let excess = waiting.removeAll(after: prefetch)
        finishing.formUnion(excess.map(\.run))
        return excess
    }

    /// The runs one of which has to end before a waiting job below interactive priority starts. If everybody who waits
    /// has their share, these are their own runs.
    private var runsAhead: some Sequence<Running> {
        let allHaveTheirShare = allHaveTheirShare
        return running.values.lazy.filter { [waiting] run in
            !run.job.isInteractive && (!allHaveTheirShare || waiting.hasJobs(of: run.job.person))
        }
    }

    /// Whether enough runs have ended for a comparison.
    var hasNews: Bool { shortest.count >= max(concurrency, Self.comparedRuns) }

    /// Changes a running run.
    mutating func change(_ run: JobRun, _ body: (inout Running) -> Void) {
        guard var changed = running[run] else { return }
        body(&changed)
        running[run] = changed
    }

    /// Removes and returns a run that turned out to belong to this worker no longer, and counts it as finishing.
    mutating func abandon(_ run: JobRun) -> Running? {
        guard let abandoned = removeRunning(run) else { return nil }
        finishing.insert(run)
        return abandoned
    }

    /// Removes runs; returns the tasks that must be cancelled.
    mutating func stop(_ runs: [JobRun]) -> [Task<Void, Never>] {
        let stopped = Set(runs)
        waiting.removeAll { stopped.contains($0.run) }
        waitingInteractive.removeAll { stopped.contains($0.run) }
        return runs.compactMap { removeRunning($0)?.task }
    }

    /// Excludes time during which this process was stopped or the machine slept from the running time: the deadlines of
    /// runs move by it. Called every half second or more often, and before a run's time is checked.
    ///
    /// - Parameter usual: the longest time between two calls that does not count as a pause.
    mutating func excludePause(longerThan usual: Duration, now: MonotonicInstant) {
        defer { lastTick = now }
        guard let lastTick, case let pause = lastTick.duration(to: now) - usual, pause > .zero else { return }
        for run in running.keys {
            change(run) { running in
                // The end of a wait moves the deadlines by all of it.
                guard running.startedAt <= lastTick, running.waiting == nil else { return }
                running.move(by: pause)
            }
        }
    }

    /// Removes and returns runs that have taken too long, and counts them as finishing.
    mutating func removeOverdue(now: MonotonicInstant) -> [Running] {
        let overdue = running.values.filter { $0.isOverdue(at: now) }
        for run in overdue {
            _ = removeRunning(run.job.run)
            finishing.insert(run.job.run)
        }
        return overdue
    }

    /// Removes and returns the jobs that have not started, and counts them as finishing.
    mutating func removeWaiting() -> [AssignedJob] {
        let removed = Array(waitingInteractive) + waiting.inOrder
        (waitingInteractive, waiting) = ([], WaitingBackground())
        finishing.formUnion(removed.map(\.run))
        return removed
    }

    /// Removes and returns the running runs, and counts them as finishing.
    mutating func removeRunning() -> [Running] {
        defer { (running, runningInteractive, runningOfPeople) = ([:], 0, [:]) }
        finishing.formUnion(running.keys)
        return Array(running.values)
    }
}
