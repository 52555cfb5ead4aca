/// When a command that follows something polls, and when its time is over.
package struct PollReminders {
    /// The time between two polls, and before the event stream is opened again.
    static let interval = Duration.seconds(2)

    /// How long the command may follow; `nil` sets no limit.
    let timeout: Duration?

    package init(timeout: Duration?) {
        self.timeout = timeout
    }

    /// Calls `poll` after every ``interval`` until the task is cancelled, or `timedOut` once the time is over.
    package func run(poll: () -> Void, timedOut: () -> Void) async {
        let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
        while !Task.isCancelled {
            let next = ContinuousClock.now.advanced(by: Self.interval)
            try? await Task.sleep(until: deadline.map { min($0, next) } ?? next)
            if let deadline, ContinuousClock.now >= deadline { return timedOut() }
            poll()
        }
    }
}
