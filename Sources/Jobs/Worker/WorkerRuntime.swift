import Contracts
import Logging
import Model
import Storage
import Synchronization

/// A worker process's side of the job protocol: takes jobs, runs their handlers, writes each
/// outcome fenced by its run, and tells the gateway.
package final class WorkerRuntime: Sendable {
    /// How often a worker that has not been welcomed introduces itself, and how often run times are looked at.
    static let tick = Duration.milliseconds(500)

    let load: Mutex<WorkerLoad>
    let database: Database
    let logger: Logger
    private let introduction: WorkerIntroduction
    private let handlers: [KindVersion: JobHandler]
    private let isWelcome = Mutex(false)
    private let heartbeatInterval: Mutex<Duration>
    private let outbox = Mutex<[EndedRun]>([])
    private let sender = Mutex<(@Sendable ([UInt8]) -> Void)?>(nil)
    private let idle = Mutex<CheckedContinuation<Void, Never>?>(nil)

    /// - Parameters:
    ///   - epoch: this process's life (``WorkerEpoch``), also its ZeroMQ routing id.
    ///   - concurrency: handlers at once.
    package init(
        name: String, epoch: String, processID: Int32, handlers: [JobHandler], concurrency: Int, database: Database,
        settings: JobSettings, logger: Logger
    ) {
        var table: [KindVersion: JobHandler] = [:]
        for handler in handlers {
            for version in handler.versions {
                table[KindVersion(kind: handler.kind.name, version: version)] = handler
            }
        }
        self.handlers = table
        self.database = database
        self.logger = logger
        introduction = WorkerIntroduction(
            name: name, epoch: epoch, processID: processID,
            kinds: table.keys.sorted { ($0.kind, $0.version) < ($1.kind, $1.version) })
        heartbeatInterval = Mutex(settings.heartbeat)
        load = Mutex(WorkerLoad(concurrency: concurrency))
    }

    /// Hands over how a frame reaches the gateway. The call must not block.
    package func connect(_ send: @escaping @Sendable ([UInt8]) -> Void) {
        sender.withLock { $0 = send }
        send(WorkerMessage.hello(introduction).encoded())
    }

    func send(_ message: WorkerMessage) {
        sender.withLock { $0 }?(message.encoded())
    }

    // MARK: The gateway's messages

    /// Takes a frame in from the messaging thread.
    package func receive(_ frame: [UInt8]) {
        do {
            switch try GatewayMessage(decoding: frame) {
            case .welcome(let milliseconds):
                heartbeatInterval.withLock { $0 = .milliseconds(max(50, Int64(milliseconds))) }
                isWelcome.withLock { $0 = true }
                sendHeartbeat()
            case .identify:
                isWelcome.withLock { $0 = false }
                send(.hello(introduction))
            case .jobs(let sequence, let jobs):
                // What was under way when this worker began to drain goes straight back.
                let refused = load.withLock { load in
                    load.take(jobs, sequence: sequence)
                    return load.isDraining ? load.removeWaiting() : []
                }
                for job in refused { settle(job, .handedBack) }
                startWaiting()
            case .stop(let runs):
                for task in load.withLock({ $0.stop(runs) }) { task.cancel() }
                startWaiting()
                announceCredit()
            }
        } catch {
            logger.warning("a frame from the gateway could not be read", metadata: ["reason": "\(error)"])
        }
    }

    private func sendHeartbeat() {
        let (held, credit) = load.withLock { ($0.held, $0.credit) }
        send(.heartbeat(held: held, credit: credit))
    }

    // MARK: Running

    private func startWaiting() {
        while true {
            let now = MonotonicInstant.now()
            let job = load.withLock { load in
                load.startNext(deadline: { now.advanced(by: maximumRunTime(of: $0)) }, now: now)
            }
            guard let job else { return }
            let task = Task { await run(job) }
            load.withLock { $0.started(job.run, task: task) }
        }
    }

    private func handler(for job: HandedJob) -> JobHandler? {
        handlers[KindVersion(kind: job.kind, version: job.version)]
    }

    private func maximumRunTime(of job: HandedJob) -> Duration {
        handler(for: job)?.kind.maximumRunTime ?? .seconds(60)
    }

    private func run(_ job: HandedJob) async {
        let conclusion: RunConclusion
        if let handler = handler(for: job) {
            let context = JobContext(job: job) { [weak self] done, total in
                let progress = RunProgress(run: job.run, done: Int32(clamping: done), total: Int32(clamping: total))
                self?.send(.progress([progress]))
            }
            do {
                conclusion = .succeeded(try await handler.run(context))
            } catch {
                conclusion = RunConclusion(error: error, job: job, logger: logger)
            }
        } else {
            // Only a gateway that misunderstood us sends it; the job waits for a worker that knows it.
            conclusion = .handedBack
        }
        guard load.withLock({ $0.finished(job.run, now: .now()) }) else { return }
        startWaiting()
        settle(job, conclusion)
    }

    // MARK: Outcomes

    /// Writes how a run ended; repeats the write while the database cannot take it.
    func settle(_ job: HandedJob, _ conclusion: RunConclusion) {
        database.enqueueWrite(isPlain: conclusion.isPlain) { transaction in
            try conclusion.write(for: job, in: transaction)
        } completion: { [self] result in
            switch result {
            case .success(let settled):
                report(settled.ended)
                if settled.hasSubmitted { send(.submitted) }
            case .failure(is StaleRun):
                report(EndedRun(run: job.run, outcome: .stale))
            case .failure(let error as StorageError) where error.mayPass:
                logger.error(
                    "an outcome waits for the database", metadata: ["job": "\(job.run.jobID)", "error": "\(error)"])
                Task {
                    try? await Task.sleep(for: .seconds(1))
                    settle(job, conclusion)
                }
            case .failure(let error):
                logger.error(
                    "an outcome could not be written",
                    metadata: ["job": "\(job.run.jobID)", "kind": "\(job.kind)", "error": "\(error)"])
                settle(job, RunConclusion.resultRefused(job))
            }
        }
    }

    private func report(_ ended: EndedRun) {
        let isFirst = outbox.withLock { outbox in
            outbox.append(ended)
            return outbox.count == 1
        }
        load.withLock { $0.settled(ended.run) }
        // The outcomes of one commit come in one after another and leave in one message.
        if isFirst { Task { flushOutbox() } }
    }

    private func flushOutbox() {
        let ended = outbox.withLock { outbox in
            defer { outbox = [] }
            return outbox
        }
        if !ended.isEmpty {
            send(.done(ended: ended, credit: load.withLock { $0.credit }))
        }
        if load.withLock(\.isEmpty) {
            idle.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }?.resume()
        }
    }

    private func announceCredit() {
        send(.done(ended: [], credit: load.withLock { $0.credit }))
    }

    // MARK: The clock

    /// Keeps the gateway informed until the task is cancelled.
    package func runHeartbeats() async {
        var lastHeartbeat = ContinuousClock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.tick)
            for overdue in load.withLock({ $0.removeOverdue(now: .now()) }) {
                overdue.task?.cancel()
                settle(overdue.job, .timedOut(overdue.job, limit: maximumRunTime(of: overdue.job)))
            }
            if !isWelcome.withLock({ $0 }) {
                send(.hello(introduction))
            } else if lastHeartbeat.duration(to: .now) >= heartbeatInterval.withLock({ $0 }) {
                lastHeartbeat = .now
                sendHeartbeat()
            }
        }
    }

    // MARK: The end

    /// Takes nothing more, hands back what has not begun, finishes what has within `grace`, hands
    /// back the rest, and says goodbye.
    package func drain(grace: Duration) async {
        send(.draining)
        let unbegun = load.withLock { load in
            load.isDraining = true
            return load.removeWaiting()
        }
        for job in unbegun { settle(job, .handedBack) }
        let alarm = Task { [self] in
            try await Task.sleep(for: grace)
            for running in load.withLock({ $0.removeRunning() }) {
                running.task?.cancel()
                settle(running.job, .handedBack)
            }
        }
        await untilIdle()
        alarm.cancel()
        send(.goodbye)
    }

    private func untilIdle() async {
        await withCheckedContinuation { continuation in
            idle.withLock { $0 = continuation }
            if load.withLock(\.isEmpty) {
                idle.withLock { continuation in
                    defer { continuation = nil }
                    return continuation
                }?.resume()
            }
        }
    }
}

extension StorageError {
    /// Whether the same write may succeed later.
    var mayPass: Bool {
        switch self {
        case .busy, .diskFull, .readOnly, .failed: true
        case .cannotOpen, .corrupt, .constraint, .schemaTooNew, .schemaTooOld, .column, .closed: false
        }
    }
}
