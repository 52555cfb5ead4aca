import Contracts
import Logging
import Model
import Storage
import Synchronization
import Telemetry

/// A worker process's side of the job protocol: runs jobs' handlers, writes each outcome fenced by its run, and reports
/// to the gateway.
package final class WorkerRuntime: Sendable {
    /// How often a worker that has not been welcomed says hello, and how often run times are checked.
    static let tick = Duration.milliseconds(500)

    let load: Mutex<WorkerLoad>
    let database: Database
    let settings: JobSettings
    let hasNewCredential: HasNewCredential
    let onMemoryExhausted: @Sendable () -> Void
    let logger: Logger
    private let introduction: WorkerIntroduction
    private let handlers: [KindVersion: JobHandler]
    let metrics: WorkerMetrics
    private let frameThrottle = LogThrottle()
    let outcomeThrottle = LogThrottle()
    private let contact: Mutex<GatewayContact>
    let outbox = Mutex<[RunReport]>([])
    /// The batch for the next runs that succeed without rows.
    let openBatch = Mutex<SuccessBatch?>(nil)
    private let connection = Mutex<Connection?>(nil)
    let idle = Mutex<CheckedContinuation<Void, Never>?>(nil)

    /// The connection to the gateway. It is a type because a bare closure in a generic box gains a layer of conversion
    /// with each access.
    private struct Connection: Sendable {
        let send: @Sendable ([UInt8]) -> Void
        let reconnect: @Sendable () -> Void
        let onWelcome: @Sendable () -> Void
    }

    /// - Parameters:
    ///   - instance: the identity of this process (``WorkerInstance``), which is its ZeroMQ routing id.
    ///   - version: the program's version, for operators.
    ///   - concurrency: how many handlers run at once.
    ///   - hasNewCredential: returns whether a credential that a job is about to wait for arrived while it ran.
    ///   - metrics: the metrics to report to the gateway.
    ///   - onMemoryExhausted: called when the process lacks the memory to write an outcome. It should end the process
    ///     at once: the gateway then counts a death against the jobs that it holds.
    package init(
        name: String, instance: String, processID: Int32, version: String = "", handlers: [JobHandler],
        concurrency: Int,
        database: Database, settings: JobSettings, hasNewCredential: @escaping HasNewCredential,
        metrics: MetricRegistry = MetricRegistry(), onMemoryExhausted: @escaping @Sendable () -> Void = {},
        logger: Logger
    ) {
        var table: [KindVersion: JobHandler] = [:]
        for handler in handlers {
            for version in handler.versions {
                table[KindVersion(kind: handler.kind.name, version: version)] = handler
            }
        }
        self.handlers = table
        self.database = database
        self.settings = settings
        self.hasNewCredential = hasNewCredential
        self.onMemoryExhausted = onMemoryExhausted
        self.logger = logger
        introduction = WorkerIntroduction(
            name: name, instance: instance, processID: processID, version: version,
            capacity: Int32(clamping: concurrency),
            kinds: table.keys.sorted { ($0.kind, $0.version) < ($1.kind, $1.version) })
        self.metrics = WorkerMetrics(metrics, kinds: table.keys.map(\.kind))
        contact = Mutex(GatewayContact(interval: settings.heartbeat, now: .now()))
        load = Mutex(WorkerLoad(concurrency: concurrency))
        database.onChange { [weak self] in self?.wrote(rowsOf: $0) }
    }

    /// Reports to the gateway which people's rows a write of this process changed, to wake their event streams.
    private func wrote(rowsOf userIDs: Set<String>) {
        let userIDs = Array(userIDs)
        for start in stride(from: 0, to: userIDs.count, by: WorkerMessage.maximumConcerned) {
            send(.changed(userIDs: Array(userIDs[start...].prefix(WorkerMessage.maximumConcerned))))
        }
    }

    /// Sets the functions that send a frame to the gateway and replace the connection, and says hello. The functions
    /// must not block.
    ///
    /// - Parameter onWelcome: called for each `WELCOME` from the gateway.
    package func connect(
        send: @escaping @Sendable ([UInt8]) -> Void, reconnect: @escaping @Sendable () -> Void,
        onWelcome: @escaping @Sendable () -> Void = {}
    ) {
        connection.withLock { $0 = Connection(send: send, reconnect: reconnect, onWelcome: onWelcome) }
        send(WorkerMessage.hello(introduction).encoded())
    }

    func send(_ message: WorkerMessage) {
        connection.withLock { $0 }?.send(message.encoded())
    }

    // MARK: The gateway's messages

    /// Handles a frame from the gateway; called on the messaging thread.
    package func receive(_ frame: [UInt8]) {
        do {
            let message = try GatewayMessage(decoding: frame)
            contact.withLock { $0.heard(now: .now()) }
            switch message {
            case .welcome(let milliseconds):
                let interval = Duration.milliseconds(max(50, Int64(milliseconds)))
                perform(contact.withLock { $0.welcomed(interval: interval, now: .now()) })
                connection.withLock { $0 }?.onWelcome()
            case .identify:
                perform(contact.withLock { $0.unknown() })
            case .jobs(let sequence, let jobs):
                // Jobs that were on their way when this worker began to drain, or to refuse work, are handed back.
                let refused = load.withLock { load in
                    load.accept(jobs, sequence: sequence)
                    return load.takesNothing ? load.removeWaiting() : []
                }
                for job in refused { writeOutcome(FinishingRun(unbegun: job), .handedBack) }
                startWaiting()
            case .stop(let runs):
                for task in load.withLock({ $0.stop(runs) }) { task.cancel() }
                startWaiting()
                announceCredit()
                // A draining worker that held only these runs writes nothing more that would let it finish.
                resumeWhenIdle()
            }
        } catch {
            metrics.unreadableFrame()
            logger.log(
                level: .warning, "a frame from the gateway could not be read and was ignored",
                metadata: ["reason": "\(error)"], throttle: frameThrottle)
        }
    }

    private func perform(_ actions: [GatewayContact.Action]) {
        for action in actions {
            switch action {
            case .hello:
                send(.hello(introduction))
            case .heartbeat:
                let (held, credit, cleared) = load.withLock { ($0.held, $0.credit, $0.cleared) }
                send(.heartbeat(held: held, credit: credit))
                // Repeated with each heartbeat: the first message may be lost.
                if !cleared.isEmpty { send(.cleared(cleared)) }
                send(.metrics(metrics.nextReport()))
            case .reconnect:
                logger.notice("the gateway does not answer; reconnecting")
                connection.withLock { $0 }?.reconnect()
            }
        }
    }

    // MARK: Running

    func startWaiting() {
        load.withLock { load in
            while let job = startNext(&load) {
                // Within the lock, so that a stop finds the task.
                load.started(job.run, task: Task { await run(from: job) })
            }
        }
    }

    private func startNext(_ load: inout WorkerLoad, in task: Task<Void, Never>? = nil) -> AssignedJob? {
        let now = MonotonicInstant.now()
        return load.startNext(deadline: { now.advanced(by: maximumRunTime(of: $0)) }, now: now, task: task)
    }

    private func handler(for job: AssignedJob) -> JobHandler? {
        handlers[KindVersion(kind: job.kind, version: job.version)]
    }

    func maximumRunTime(of job: AssignedJob) -> Duration {
        handler(for: job)?.kind.maximumRunTime ?? .seconds(60)
    }

    /// Runs a job, and then waiting jobs in the same task: a new task for each costs as much as a short job.
    ///
    /// A cancelled task runs no other job: its run was taken away, so it returns.
    private func run(from first: AssignedJob) async {
        var current: AssignedJob? = first
        var count = 0
        while let job = current {
            let began = MonotonicInstant.now()
            let handler = handler(for: job)
            let outcome = await outcome(of: job, by: handler)
            let now = MonotonicInstant.now()
            let time = began.duration(to: now)
            metrics.ran(kind: job.kind, for: time)
            let (ending, next, excess, hasMore) = load.withLock {
                load -> (FinishingRun?, AssignedJob?, [AssignedJob], Bool) in
                load.excludePause(longerThan: longestTick, now: now)
                // When the run was taken away, the handler's error is only its cancellation.
                guard let ended = load.finished(job.run, after: time) else { return (nil, nil, [], false) }
                let excess = load.hasNews ? load.removeExcess(now: .now()) : []
                let ending = FinishingRun(ended, keepsState: handler?.keepsState ?? false, now: now)
                let next = startNext(&load, in: ended.task)
                return (ending, next, excess, load.mayStartNext)
            }
            guard let ending else { return }
            handBack(excess)
            // The start may have let other people's waiting jobs start as well.
            if hasMore { startWaiting() }
            writeOutcome(ending, outcome)
            current = next
            count += 1
            // Handlers that never wait would keep other tasks off the thread.
            if count.isMultiple(of: 64) { await Task.yield() }
        }
    }

    private func writeOutcome(_ run: FinishingRun, _ outcome: Result<JobResult<String>, any Error>?) {
        switch outcome {
        case .success(let outcome): writeOutcome(run, .succeeded(outcome))
        case .failure(let error):
            let conclusion = LogContext.$current.withValue(LogContext(run.job)) {
                RunOutcome(error: error, run: run, kind: handler(for: run.job)?.kind, logger: logger)
            }
            writeOutcome(run, conclusion)
        // A gateway sends unknown kinds only by mistake. The job then waits for a worker that knows its kind.
        case nil: writeOutcome(run, .handedBack)
        }
    }

    /// Runs a job's handler; `nil` when there is no handler.
    private func outcome(of job: AssignedJob, by handler: JobHandler?) async -> Result<JobResult<String>, any Error>? {
        guard let handler else { return nil }
        var context = JobContext(job: job) { [weak self] progress in
            // Ephemeral jobs are shown to nobody, and neither is their progress.
            guard !handler.kind.isEphemeral else { return }
            self?.send(.progress([RunProgress(run: job.run, progress)]))
        }
        do {
            if handler.isLong { context.checkpoints = try await checkpoints(of: job, for: handler.kind) }
            return .success(
                try await LogContext.$current.withValue(LogContext(job)) { [context] in
                    try await handler.run(context)
                })
        } catch {
            return .failure(error)
        }
    }

    func announceCredit() {
        send(.done(ended: [], credit: load.withLock { $0.credit }))
    }

    // MARK: Periodic work

    /// The longest time between two ticks that does not count as a pause. The gateway, which receives the heartbeats,
    /// uses the same.
    var longestTick: Duration { settings.lease / 2 }

    /// Sends heartbeats and ends overdue runs until the task is cancelled.
    package func runHeartbeats() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: min(Self.tick, contact.withLock(\.interval)))
            let now = MonotonicInstant.now()
            let overdue = load.withLock { load in
                load.excludePause(longerThan: longestTick, now: now)
                return load.removeOverdue(now: now)
            }
            for run in overdue { timedOut(run, now: now) }
            if !overdue.isEmpty { startWaiting() }
            handBack(load.withLock { $0.removeExcess(now: .now()) })
            perform(contact.withLock { $0.tick(now: .now()) })
        }
    }

    private func timedOut(_ run: WorkerLoad.Running, now: MonotonicInstant) {
        run.task?.cancel()
        let kind = handler(for: run.job)?.kind
        let ending = ending(run, now: now)
        if run.isOutOfTime(at: now), let limit = kind?.maximumTotalTime {
            writeOutcome(ending, .failure(RunOutcome.outOfTime(limit)))
        } else {
            writeOutcome(ending, .timedOut(ending, limit: maximumRunTime(of: run.job)))
        }
    }

    func ending(_ run: WorkerLoad.Running, now: MonotonicInstant) -> FinishingRun {
        FinishingRun(run, keepsState: handler(for: run.job)?.keepsState ?? false, now: now)
    }
}
