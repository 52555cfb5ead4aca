import Contracts
import Model

/// How a worker stops accepting jobs: before it exits, or while it cannot work.
extension WorkerRuntime {
    /// Accepts no more jobs, hands back those that have not started, lets runs end or reach their next checkpoint
    /// within `grace`, hands back the others, and says goodbye.
    package func drain(grace: Duration) async {
        send(.draining)
        let unbegun = load.withLock { load in
            load.isDraining = true
            return load.removeWaiting()
        }
        for job in unbegun { writeOutcome(FinishingRun(unbegun: job), .handedBack) }
        let alarm = Task { [self] in
            try await Task.sleep(for: grace)
            for running in load.withLock({ $0.removeRunning() }) {
                running.task?.cancel()
                writeOutcome(ending(running, now: .now()), .handedBack)
            }
        }
        await untilIdle()
        alarm.cancel()
        // Includes what was counted since the last heartbeat.
        send(.metrics(metrics.nextReport()))
        send(.goodbye)
    }

    private func untilIdle() async {
        await withCheckedContinuation { continuation in
            idle.withLock { $0 = continuation }
            resumeWhenIdle()
        }
    }

    func resumeWhenIdle() {
        if outbox.withLock({ $0.isEmpty && load.withLock(\.isEmpty) }) { resumeIdle() }
    }

    // MARK: A worker that cannot work

    /// Accepts no jobs until ``acceptWork()``, and hands back those that have not started. Running jobs continue.
    package func refuseWork() {
        let unbegun = load.withLock { load in
            load.refusesWork = true
            return load.removeWaiting()
        }
        announceCredit()
        for job in unbegun { writeOutcome(FinishingRun(unbegun: job), .handedBack) }
    }

    /// Accepts jobs again.
    package func acceptWork() {
        load.withLock { $0.refusesWork = false }
        announceCredit()
    }
}
