import Collections
import Contracts
import Model

/// What a worker holds and how much more it can take: its runtime without input and output.
struct WorkerLoad {
    /// The most work that may wait inside a worker while others could do it.
    static let prefetchTime = Duration.milliseconds(20)
    /// The most jobs that may wait inside a worker, however short they are.
    static let maximumPrefetch = 8_192
    /// What waits is too much when it would take longer than this even if all of it were as short as the shortest
    /// of late.
    static let longestWait = Duration.milliseconds(100)
    /// Of fewer runs than these the shortest says nothing.
    static let comparedRuns = 8
    /// Jobs are not long when one of them took less than this: a busy machine makes every run a little longer.
    static let longRun = Duration.milliseconds(5)
    /// Runs that go on say how long they are only after this time: until then they may not even have begun.
    static let longAge = Duration.milliseconds(400)

    /// As many outcomes that meet a damaged page take no place: some pages full of them. A database that takes none at
    /// all gets no more than so many jobs done in vain.
    static let maximumUnwritable = 100

    let concurrency: Int
    /// How many places jobs below interactive priority may take at once; the others are kept for interactive ones.
    let backgroundPlaces: Int
    private(set) var waiting = WaitingBackground()
    /// Interactive jobs that wait: they begin before all others.
    private(set) var waitingInteractive: Deque<HandedJob> = []
    private(set) var running: [JobRun: Running] = [:]
    private var runningInteractive = 0
    /// How many of the others are each person's.
    private var runningOfPeople: [String: Int] = [:]
    /// Over, but the outcome is not durable yet.
    private(set) var finishing: Set<JobRun> = []
    /// Those of them whose outcome meets a damaged page: it may never be written.
    private var unwritable: Set<JobRun> = []
    private(set) var received: Int64 = 0
    private var runTimes = RunTimes()
    /// When a job was last to be started.
    private var latest: MonotonicInstant?
    /// The shortest of the handlers' times since they were last compared, in microseconds, and how many there were.
    private var shortest = (time: Double.infinity, count: 0)
    var isDraining = false
    /// It cannot work at present.
    var refusesWork = false
    /// Whether what it is sent goes straight back.
    var takesNothing: Bool { isDraining || refusesWork }

    init(concurrency: Int) {
        self.concurrency = concurrency
        backgroundPlaces = JobPriority.backgroundPlaces(of: concurrency)
    }

    var heldCount: Int { waiting.count + waitingInteractive.count + running.count + finishing.count }

    var held: [JobRun] { waitingInteractive.map(\.run) + waiting.inOrder.map(\.run) + running.keys + finishing }

    var isEmpty: Bool { heldCount == 0 }

    var credit: WorkerCredit {
        guard !takesNothing else { return WorkerCredit(free: 0, received: received) }
        // However many others wait here, the places that are kept for interactive jobs can be had; and so can those
        // that nobody's who waits here may take, since they have their share.
        let open =
            !waiting.isEmpty && isBlocked
            ? concurrency - running.count - waitingInteractive.count
            : concurrency - backgroundPlaces - runningInteractive - waitingInteractive.count
        let present = heldCount - min(unwritable.count, Self.maximumUnwritable)
        return WorkerCredit(free: Int32(max(0, open, concurrency + prefetch - present)), received: received)
    }

    private var areBackgroundPlacesTaken: Bool {
        running.count >= concurrency || running.count - runningInteractive >= backgroundPlaces
    }

    /// Whether none of the jobs below interactive priority that wait here may begin.
    private var isBlocked: Bool {
        areBackgroundPlacesTaken || haveShares
    }

    /// Whether all who have jobs below interactive priority waiting here have their share of the places.
    private var haveShares: Bool { waiting.next(running: runningOfPeople, places: backgroundPlaces) == nil }

    /// Whether a job that waits here may begin.
    var mayStartNext: Bool {
        running.count < concurrency && !(waitingInteractive.isEmpty && (waiting.isEmpty || isBlocked))
    }

    private var prefetch: Int {
        guard let average = runTimes.average else { return 0 }
        let time = max(average, slowestShareTime, 1)
        return min(Self.maximumPrefetch, Int(Double(backgroundPlaces) * Double(Self.prefetchTime.microseconds) / time))
    }

    /// How long the runs of those take who have half of the places or more, in microseconds: of whoever has the longest.
    /// Of those who have fewer no more are to be expected.
    private var slowestShareTime: Double {
        let share = max(
            PlaceShare.whileOthersWait(of: backgroundPlaces), min(2, PlaceShare.alone(of: backgroundPlaces)))
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

    /// Takes a message of jobs in; one that came before is ignored.
    mutating func take(_ jobs: [HandedJob], sequence: Int64) {
        guard sequence > received else { return }
        received = sequence
        for job in jobs {
            if job.isInteractive { waitingInteractive.append(job) } else { waiting.append(job) }
        }
    }

    /// The next job that may start, now counted as running.
    ///
    /// - Parameter task: what will run it, if that is known.
    mutating func startNext(
        deadline: (HandedJob) -> MonotonicInstant, now: MonotonicInstant, task: Task<Void, Never>? = nil
    ) -> HandedJob? {
        latest = now
        guard running.count < concurrency, let job = popNext() else { return nil }
        if job.isInteractive { runningInteractive += 1 } else { runningOfPeople[job.person, default: 0] += 1 }
        running[job.run] = Running(job: job, startedAt: now, deadline: deadline(job), task: task)
        return job
    }

    private mutating func popNext() -> HandedJob? {
        if let job = waitingInteractive.popFirst() { return job }
        return areBackgroundPlacesTaken
            ? nil : waiting.popNext(running: runningOfPeople, places: backgroundPlaces)
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

    /// Notes the task of a run that was started.
    mutating func started(_ run: JobRun, task: Task<Void, Never>) {
        running[run]?.task = task
    }

    /// A handler returned; `nil` when its run was taken away meanwhile.
    ///
    /// - Parameter time: how long the handler took, without its wait for a thread.
    mutating func finished(_ run: JobRun, after time: Duration) -> Running? {
        guard let ended = removeRunning(run) else { return nil }
        let time = Double(time.microseconds)
        runTimes.note(time, of: ended.job.isInteractive ? nil : ended.job.person)
        shortest = (min(shortest.time, time), shortest.count + 1)
        finishing.insert(run)
        return ended
    }

    /// Its outcome is durable, or refused.
    mutating func settled(_ run: JobRun) {
        finishing.remove(run)
        unwritable.remove(run)
    }

    /// The outcome of a run that is over cannot be written for a page that stays damaged: others must not wait for its
    /// place.
    ///
    /// - Returns: whether that was not known.
    mutating func foundUnwritable(_ run: JobRun) -> Bool {
        finishing.contains(run) && unwritable.insert(run).inserted
    }

    /// What waits here although others could do it long before its turn: the jobs of late took much longer than those
    /// after which so many were asked for. Now counted as finishing.
    ///
    /// It goes by the shortest time of as many runs as there are at once, and by how long those that go on have run at
    /// least. A run that was held up, or is slow by itself, does not count.
    mutating func removeExcess(now: MonotonicInstant) -> [HandedJob] {
        var time = 0.0
        if hasNews {
            time = shortest.time
            shortest = (.infinity, 0)
        }
        // Who has their share waits for a run of their own to end, however few wait.
        guard !waiting.isEmpty, haveShares || waiting.count > backgroundPlaces else { return [] }
        if isBlocked, let youngest = runsAhead.map(\.startedAt).max() {
            let age = youngest.duration(to: now)
            if age >= Self.longAge { time = max(time, Double(age.microseconds)) }
        }
        let rounds = max(1, Double(waiting.count) / Double(backgroundPlaces))
        guard time >= Double(Self.longRun.microseconds), rounds * time > Double(Self.longestWait.microseconds) else {
            return []
        }
        runTimes.raise(to: time)
        let excess = waiting.removeAll(after: prefetch)
        finishing.formUnion(excess.map(\.run))
        return excess
    }

    /// The runs of which one has to end before a job that waits here begins: those of the people who wait, where all
    /// of them have their share.
    private var runsAhead: some Sequence<Running> {
        let haveShares = haveShares
        return running.values.lazy.filter { [waiting] run in
            !run.job.isInteractive && (!haveShares || waiting.hasJobs(of: run.job.person))
        }
    }

    /// Whether enough runs have ended to compare.
    var hasNews: Bool { shortest.count >= max(concurrency, Self.comparedRuns) }

    /// Changes a run that is under way.
    mutating func change(_ run: JobRun, _ body: (inout Running) -> Void) {
        guard var changed = running[run] else { return }
        body(&changed)
        running[run] = changed
    }

    /// A run turned out to be somebody else's; returns it, now counted as finishing.
    mutating func abandon(_ run: JobRun) -> Running? {
        guard let abandoned = removeRunning(run) else { return nil }
        finishing.insert(run)
        return abandoned
    }

    /// Takes runs away; returns the tasks that must be cancelled.
    mutating func stop(_ runs: [JobRun]) -> [Task<Void, Never>] {
        let stopped = Set(runs)
        waiting.removeAll { stopped.contains($0.run) }
        waitingInteractive.removeAll { stopped.contains($0.run) }
        return runs.compactMap { removeRunning($0)?.task }
    }

    /// Runs that have gone on for too long, now counted as finishing.
    mutating func removeOverdue(now: MonotonicInstant) -> [Running] {
        let overdue = running.values.filter { $0.isOverdue(at: now) }
        for run in overdue {
            _ = removeRunning(run.job.run)
            finishing.insert(run.job.run)
        }
        return overdue
    }

    /// Everything that has not begun, now counted as finishing.
    mutating func removeWaiting() -> [HandedJob] {
        let removed = Array(waitingInteractive) + waiting.inOrder
        (waitingInteractive, waiting) = ([], WaitingBackground())
        finishing.formUnion(removed.map(\.run))
        return removed
    }

    /// Everything that still runs, now counted as finishing.
    mutating func removeRunning() -> [Running] {
        defer { (running, runningInteractive, runningOfPeople) = ([:], 0, [:]) }
        finishing.formUnion(running.keys)
        return Array(running.values)
    }
}
