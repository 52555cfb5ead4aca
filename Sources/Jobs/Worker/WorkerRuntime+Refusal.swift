/// How a worker that cannot work takes on nothing, and goes on when it can.
extension WorkerRuntime {
    /// Takes on no jobs, and hands back what has not begun; what runs goes on.
    package func refuseWork() {
        let unbegun = load.withLock { load in
            load.refusesWork = true
            return load.removeWaiting()
        }
        announceCredit()
        for job in unbegun { settle(EndingRun(unbegun: job), .handedBack) }
    }

    /// Takes on jobs again.
    package func acceptWork() {
        load.withLock { $0.refusesWork = false }
        announceCredit()
    }
}
