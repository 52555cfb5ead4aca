import Storage

/// Something that is done for everybody by the clock.
package struct UpkeepStep: Sendable {
    /// In camelCase, of its own among its domain's.
    let name: String
    /// From the end of a run to the beginning of the next.
    let interval: Duration
    /// Whether the first run is due when the gateway starts, and not an interval later.
    let startsAtOnce: Bool
    /// Whether it runs once more when the gateway stops.
    let runsAtEnd: Bool
    /// What it throws is logged and counted; the next run comes as if nothing had happened.
    let work: Work

    enum Work: Sendable {
        case anything(@Sendable () async throws -> Void)
        /// Deletes rows for their age. It is not run while the wall clock may be far ahead (``PruningClock``).
        case pruning(@Sendable (PruningTime) async throws -> Void)
    }

    init(
        _ name: String, every interval: Duration, startsAtOnce: Bool = false, runsAtEnd: Bool = false,
        run: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.startsAtOnce = startsAtOnce
        self.runsAtEnd = runsAtEnd
        work = .anything(run)
    }

    /// A step that deletes rows for their age, by the time that it is given.
    init(
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
