import Jobs
import Logging
import Storage
import Telemetry

/// Runs upkeep steps independently: a step that is slow or fails does not delay the others.
struct UpkeepRunner<StepClock: Clock<Duration>>: Sendable {
    private struct NamedStep: Sendable {
        /// The domain's name and the step's: `jobs.prune`.
        let name: String
        let step: UpkeepStep
        /// Limits how often its failures are logged, since they repeat while the database cannot be used.
        let throttle = LogThrottle(limit: 2, per: .seconds(60))
    }

    private let steps: [NamedStep]
    private let clock: StepClock
    /// The time to delete old rows by; `nil` when none may be deleted now.
    private let pruningTime: @Sendable () async throws -> PruningTime?
    private let metrics: MetricRegistry
    private let logger: Logger

    init(
        _ domains: [GatewayDomain], clock: StepClock, pruningTime: @escaping @Sendable () async throws -> PruningTime?,
        metrics: MetricRegistry, logger: Logger
    ) {
        steps = domains.flatMap { domain in
            domain.upkeepSteps.map { NamedStep(name: "\(domain.name).\($0.name)", step: $0) }
        }
        precondition(Set(steps.map(\.name)).count == steps.count, "Two upkeep steps have the same name")
        self.clock = clock
        self.pruningTime = pruningTime
        self.metrics = metrics
        self.logger = logger
    }

    /// Runs until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for step in steps { group.addTask { await run(step) } }
        }
    }

    /// Runs the steps with `runsAtEnd` once more, after ``run()`` has returned.
    func runLast() async {
        for step in steps where step.step.runsAtEnd { await perform(step) }
    }

    private func run(_ step: NamedStep) async {
        if step.step.startsAtOnce { await perform(step) }
        while (try? await clock.sleep(for: step.step.interval)) != nil { await perform(step) }
    }

    private func perform(_ step: NamedStep) async {
        var outcome = "succeeded"
        let began = clock.now
        do {
            if try await !perform(step.step.work) { outcome = "deferred" }
        } catch is CancellationError where Task.isCancelled {
            return
        } catch {
            outcome = "failed"
            logger.log(
                level: .error, "an upkeep step failed and is tried again",
                metadata: [
                    "step": "\(step.name)", "error": "\(error)", "after": "\(step.step.interval)",
                ], throttle: step.throttle)
        }
        metrics.counter(.upkeepRuns, [step.name, outcome]).add()
        metrics.histogram(.upkeepTime, [step.name]).observe(began.duration(to: clock.now))
    }

    /// - Returns: `false` when the step was deferred.
    private func perform(_ work: UpkeepStep.Work) async throws -> Bool {
        switch work {
        case .always(let run): try await run()
        case .pruning(let run):
            guard let time = try await pruningTime() else { return false }
            try await run(time)
        }
        return true
    }
}
