import Synchronization

/// Decides whether requests of one write may begin: only after the write was noted in a journal, and only for a limited
/// time after that.
///
/// A process may stall between the note and the request: it waits for a permit, or is stopped. Another process that
/// finds the note, waits for longer than this time, and reads the service can then rely on what it sees: requests of
/// this write can no longer begin.
package final class WriteAdmission: Sendable {
    /// The write that this task makes. Requests that change something refer to it when they are created.
    @TaskLocal package static var current: WriteAdmission?

    private let window: Duration
    private let note: @Sendable () async throws -> Void
    /// The time until which requests may begin; `nil` before the write was noted.
    private let end = Mutex<MonotonicInstant?>(nil)

    /// - Parameters:
    ///   - window: how long after the note a request may begin.
    ///   - note: notes the write. It is called as soon as a request may leave immediately.
    package init(window: Duration, note: @escaping @Sendable () async throws -> Void) {
        (self.window, self.note) = (window, note)
    }

    /// Whether the write was noted. Before that, no request of it has left.
    package var hasBegun: Bool { end.withLock { $0 != nil } }

    /// Notes the write before its first request leaves; later calls do nothing. Concurrent calls may each note it, and
    /// the earliest sets the time.
    ///
    /// - Throws: the error of the note; then no request may begin.
    package func begin() async throws {
        guard !hasBegun else { return }
        // The time counts from before the note, so that it is never longer than other processes assume.
        let until = MonotonicInstant.now().advanced(by: window)
        try await note()
        // Another request of the write may have begun meanwhile, and may have noted it as well.
        end.withLock { $0 = min($0 ?? until, until) }
    }

    /// Whether a request may begin at a moment.
    package func admits(at moment: MonotonicInstant) -> Bool {
        end.withLock { end in end.map { moment < $0 } ?? false }
    }

    /// Whether requests may have begun but can no longer begin.
    package func isOver(at moment: MonotonicInstant) -> Bool { hasBegun && !admits(at: moment) }
}
