import Storage

/// A step of the gateway's periodic work.
package struct UpkeepStep: Sendable {
    /// The name in camelCase, unique within the domain.
    let name: String
    /// The time from the end of a run to the start of the next.
    let interval: Duration
    /// Whether the first run is due when the gateway starts, not an interval later.
    let startsAtOnce: Bool
    /// Whether it runs once more when the gateway stops.
    let runsAtEnd: Bool
    /// The step's function. Its errors are logged and counted, and the next run is due as usual.
    let work: Work

    enum Work: Sendable {
        case always(@Sendable () async throws -> Void)
        /// Deletes rows because of their age. It is deferred while the wall clock may be far ahead (``PruningClock``).
        case pruning(@Sendable (PruningTime) async throws -> Void)
    }

    package init(
        _ name: String, every interval: Duration, startsAtOnce: Bool = false, runsAtEnd: Bool = false,
        run: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.startsAtOnce = startsAtOnce
        self.runsAtEnd = runsAtEnd
        work = .always(run)
    }

    /// A step that deletes rows because of their age, by the trusted time that it gets.
    package init(
        pruning name: String, every interval: Duration, startsAtOnce: Bool = false,
        run: @escaping @Sendable (PruningTime) async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.startsAtOnce = startsAtOnce
        runsAtEnd = false
        work = .pruning(run)
    }
}
