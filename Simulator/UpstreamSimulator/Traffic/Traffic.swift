import Model

/// The limits of one upstream, with the counters and the log of its arrivals, as one value.
package struct Traffic: Sendable {
    /// One line of the log.
    package struct LogEntry: Sendable, Codable, Equatable {
        /// The arrival in microseconds on `CLOCK_BOOTTIME`.
        package var at: Int64
        /// The request's path and query, without the key.
        package var request: String
    }

    /// The use of one key.
    private struct Account {
        var window = SlidingWindow()
        var quota: DailyQuota
        var arrivals = 0
    }

    /// The most entries in the log. Older ones are removed first; the counters still include them.
    static let longestLog = 50_000

    package var limits: TrafficLimits {
        didSet {
            for key in accounts.keys {
                accounts[key]?.quota.limit = limits.dailyQuota
                accounts[key]?.quota.length = limits.quotaWindow
            }
        }
    }

    package private(set) var log: [LogEntry] = []
    private var pending: [UInt64: Arrival] = [:]
    private var accounts: [String: Account] = [:]
    private var window = SlidingWindow()
    private var counters = TrafficCounters()
    private var lastID: UInt64 = 0

    package init(limits: TrafficLimits) {
        self.limits = limits
    }

    /// Records a request whose head has just arrived, and decides whether the limits admit it.
    ///
    /// A request with a missing or unknown key uses no quota. One that is refused because of its rate counts as an
    /// arrival, so a client that does not slow down remains refused.
    package mutating func arrive(_ target: RequestTarget, at instant: MonotonicInstant, wallTime: Timestamp) -> Arrival
    {
        counters.arrivals += 1
        counters.paths[target.path, default: 0] += 1
        counters.open += 1
        counters.largestOpen = max(counters.largestOpen, counters.open)
        window.record(at: instant)
        count(target.list("attractionId"), in: \.attractions)
        count(target["keyword"].map { [$0] } ?? [], in: \.keywords)

        if log.count >= Self.longestLog { log.removeFirst(Self.longestLog / 10) }
        log.append(LogEntry(at: instant.microseconds, request: target.text(without: ["apikey"])))

        lastID += 1
        let arrival = Arrival(
            id: lastID, target: target, at: instant,
            verdict: verdict(key: target["apikey"], at: instant, wallTime: wallTime))
        pending[arrival.id] = arrival
        return arrival
    }

    private mutating func verdict(key: String?, at instant: MonotonicInstant, wallTime: Timestamp) -> Arrival.Verdict {
        guard let key, !key.isEmpty else { return .missingKey }
        guard limits.validKeys.contains(key) else { return .unknownKey }
        var account =
            accounts[key] ?? Account(quota: DailyQuota(limit: limits.dailyQuota, length: limits.quotaWindow))
        defer { accounts[key] = account }
        account.arrivals += 1
        guard account.window.record(at: instant) <= limits.perSecond else {
            return .tooFast(perSecond: limits.perSecond)
        }
        switch account.quota.admit(at: wallTime) {
        case .granted(let quotaStatus): return .admitted(quotaStatus)
        case .exhausted: return .quotaExhausted(key: key)
        }
    }

    /// Returns the arrival to the route that answers it; returns `nil` the second time.
    package mutating func claim(_ id: UInt64) -> Arrival? {
        pending.removeValue(forKey: id)
    }

    /// Counts the outcome of an answer.
    package mutating func answer(_ outcome: TrafficCounters.Outcome) {
        switch outcome {
        case .served: counters.served += 1
        case .refused: counters.refused += 1
        case .spike: counters.spike429 += 1
        case .quota: counters.quota429 += 1
        case .faulty: counters.faults += 1
        }
    }

    /// Counts the end of a request: its answer was written, or its connection ended.
    package mutating func close() {
        counters.open = max(0, counters.open - 1)
    }

    /// The current counters.
    package var summary: TrafficCounters {
        var summary = counters
        summary.largestInOneSecond = window.largest
        summary.keys = accounts.mapValues {
            TrafficCounters.Key(
                arrivals: $0.arrivals, quotaUsed: $0.quota.used, largestInOneSecond: $0.window.largest)
        }
        return summary
    }

    /// Resets all counters and quotas. Limits and open requests remain.
    package mutating func reset() {
        var fresh = Traffic(limits: limits)
        fresh.pending = pending
        fresh.lastID = lastID
        fresh.counters.open = counters.open
        self = fresh
    }

    private mutating func count(_ values: [String], in table: WritableKeyPath<TrafficCounters, [String: Int]>) {
        for value in values {
            // Bounds the memory if every request has a different value.
            if counters[keyPath: table].count < 10_000 || counters[keyPath: table][value] != nil {
                counters[keyPath: table][value, default: 0] += 1
            }
        }
    }
}
