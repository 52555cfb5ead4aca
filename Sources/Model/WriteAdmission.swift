import Synchronization

/// Lets the requests of one write begin: after the write was noted in a journal, and within a time after that.
///
/// A process may stall between the note and the request: it waits for a permit, or is stopped. Another process that
/// finds the note, waits for longer than this time, and reads the service can then rely on what it sees: no request of
/// this write begins any more.
package final class WriteAdmission: Sendable {
    /// The write that this task makes. Requests that change something take it over when they are made.
    @TaskLocal package static var current: WriteAdmission?

    private let window: Duration
    private let note: @Sendable () async throws -> Void
    /// Until when requests may begin; `nil` before the write was noted.
    private let end = Mutex<MonotonicInstant?>(nil)

    /// - Parameters:
    ///   - window: for how long after the note a request may begin.
    ///   - note: notes the write. It is called once it is known that a request may leave at once.
    package init(window: Duration, note: @escaping @Sendable () async throws -> Void) {
        (self.window, self.note) = (window, note)
    }

    /// Whether the write was noted. Before that, nothing of it has left.
    package var hasBegun: Bool { end.withLock { $0 != nil } }

    /// Notes the write before its first request leaves; later calls do nothing. Of calls at the same time each may note
    /// it, and the earliest sets the time.
    ///
    /// - Throws: what the note throws; then no request may begin.
    package func begin() async throws {
        guard !hasBegun else { return }
        // From before the note, so that the time is never longer than others take it for.
        let until = MonotonicInstant.now().advanced(by: window)
        try await note()
        // Another request of the write may have begun meanwhile, and noted it as well.
        end.withLock { $0 = min($0 ?? until, until) }
    }

    /// Whether a request may begin at a moment.
    package func admits(at moment: MonotonicInstant) -> Bool {
        end.withLock { end in end.map { moment < $0 } ?? false }
    }

    /// Whether requests could have begun, and cannot any more.
    package func isOver(at moment: MonotonicInstant) -> Bool { hasBegun && !admits(at: moment) }
}
