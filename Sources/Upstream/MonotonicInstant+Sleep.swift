import Model

extension MonotonicInstant {
    /// Suspends until this moment; throws `CancellationError` when the task is cancelled before it.
    func sleep() async throws {
        // Swift's continuous clock is CLOCK_BOOTTIME here, too.
        let rest = MonotonicInstant.now().duration(to: self)
        try await Task.sleep(for: max(Duration.zero, rest), clock: .continuous)
    }

    /// The same moment on the wall clock, as it is set now.
    var onWallClock: Timestamp {
        Timestamp.now().advanced(by: MonotonicInstant.now().duration(to: self))
    }
}
