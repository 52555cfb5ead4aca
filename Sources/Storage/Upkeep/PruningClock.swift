import Model

/// The source of the time by which rows are deleted because of their age: ``ClockGuard`` with the database and the
/// clocks.
package actor PruningClock {
    private let database: Database
    private let now: @Sendable () -> Timestamp
    private let instant: @Sendable () -> MonotonicInstant
    private let onChange: @Sendable (ClockGuard.Change) -> Void
    /// `nil` until the row is read.
    private var state: ClockGuard?

    /// - Parameters:
    ///   - now: the wall clock.
    ///   - instant: the monotonic clock.
    ///   - onChange: called when the clock is doubted and when it is trusted again.
    package init(
        database: Database, now: @escaping @Sendable () -> Timestamp = { .now() },
        instant: @escaping @Sendable () -> MonotonicInstant = { .now() },
        onChange: @escaping @Sendable (ClockGuard.Change) -> Void = { _ in }
    ) {
        self.database = database
        self.now = now
        self.instant = instant
        self.onChange = onChange
    }

    /// The time to delete by; `nil` if nothing may be deleted because of its age.
    ///
    /// - Throws: ``StorageError`` when the newest moment cannot be read or stored.
    package func time() async throws -> PruningTime? {
        if state == nil {
            let stored = try await database.read { try $0.newestMoment() }
            // Another call may have read it meanwhile.
            if state == nil { state = ClockGuard(stored: stored) }
        }
        guard let verdict = state?.look(now(), at: instant()) else { return nil }
        if let change = verdict.change { onChange(change) }
        if let moment = verdict.store {
            try await database.write { try $0.setNewestMoment(moment) }
            state?.hasStored(moment)
        }
        return verdict.time
    }
}

extension SQLReader {
    /// The newest moment of a trusted clock, accurate to ``ClockGuard/writeInterval``; `nil` in a new database.
    package func newestMoment() throws -> Timestamp? {
        try row("SELECT moment FROM newest_moment")?["moment"]
    }
}

extension WriteTransaction {
    package func setNewestMoment(_ moment: Timestamp) throws {
        guard try execute("UPDATE newest_moment SET moment = \(moment)") == 0 else { return }
        try run("INSERT INTO newest_moment (moment) VALUES (\(moment))")
    }
}
