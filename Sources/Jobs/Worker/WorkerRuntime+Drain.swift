import Contracts
import Model

/// How a worker ends.
extension WorkerRuntime {
    /// Takes nothing more, hands back what has not begun, finishes what has within `grace` or lets it reach its next
    /// checkpoint, hands back the rest, and says goodbye.
    package func drain(grace: Duration) async {
        send(.draining)
        let unbegun = load.withLock { load in
            load.isDraining = true
            return load.removeWaiting()
        }
        for job in unbegun { settle(EndingRun(unbegun: job), .handedBack) }
        let alarm = Task { [self] in
            try await Task.sleep(for: grace)
            for running in load.withLock({ $0.removeRunning() }) {
                running.task?.cancel()
                settle(ending(running, now: .now()), .handedBack)
            }
        }
        await untilIdle()
        alarm.cancel()
        // What was counted since the last heartbeat would be lost.
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
}
