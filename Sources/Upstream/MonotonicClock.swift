import Model

/// The clock of ``MonotonicInstant``, or one that a test sets.
package struct MonotonicClock: Sendable {
    var now: @Sendable () -> MonotonicInstant
    /// Suspends until a moment; throws `CancellationError` when the task is cancelled earlier.
    var sleep: @Sendable (_ until: MonotonicInstant) async throws -> Void

    package static let system = MonotonicClock(now: { .now() }, sleep: { try await $0.sleep() })
}

extension MonotonicInstant {
    /// Suspends until this moment; throws `CancellationError` when the task is cancelled earlier.
    func sleep() async throws {
        // On Linux, Swift's continuous clock is also CLOCK_BOOTTIME.
        let rest = MonotonicInstant.now().duration(to: self)
        try await Task.sleep(for: max(Duration.zero, rest), clock: .continuous)
    }

    /// The same moment on the wall clock, as it is set now.
    var onWallClock: Timestamp {
        Timestamp.now().advanced(by: MonotonicInstant.now().duration(to: self))
    }
}
