import Model

/// What arrived at one upstream since the start or the last reset: `GET /_sim/UPSTREAM/counters` and `…/arrivals`.
struct CallLog: Sendable {
    /// One line of the log. It holds no header, no body and no query, which carry secrets.
    struct Entry: Sendable, Codable, Equatable {
        /// Microseconds on `CLOCK_BOOTTIME`.
        var at: Int64
        var endpoint: String
        /// The status that was decided on; `nil` while it is not, or when the fault came before the decision.
        var status: Int?
        /// The fault that struck.
        var fault: FaultRule.Kind?
    }

    struct Endpoint: Sendable, Codable, Equatable {
        var arrivals = 0
        /// Decided answers by status, the lost ones included.
        var statuses: [String: Int] = [:]
        var faults = 0
    }

    /// Log entries kept; older ones are forgotten first, the counters know them still.
    static let longestLog = 50_000

    private(set) var entries: [Entry] = []
    private(set) var endpoints: [String: Endpoint] = [:]
    /// How many entries have been forgotten, so that a call finds its own.
    private var forgotten = 0

    /// Notes a call that has come in, and answers its number.
    mutating func arrive(_ endpoint: String, at instant: MonotonicInstant, fault: FaultRule.Kind?) -> Int {
        if entries.count >= Self.longestLog {
            entries.removeFirst(Self.longestLog / 10)
            forgotten += Self.longestLog / 10
        }
        entries.append(Entry(at: instant.microseconds, endpoint: endpoint, fault: fault))
        endpoints[endpoint, default: Endpoint()].arrivals += 1
        if fault != nil { endpoints[endpoint]?.faults += 1 }
        return forgotten + entries.count - 1
    }

    /// Notes the answer that was decided on.
    mutating func answer(_ number: Int, status: Int) {
        let index = number - forgotten
        guard entries.indices.contains(index) else { return }
        entries[index].status = status
        endpoints[entries[index].endpoint]?.statuses[String(status), default: 0] += 1
    }

    /// Starts anew. Calls that are under way belong to the past and are not counted when they are answered.
    mutating func reset() {
        forgotten += entries.count
        entries = []
        endpoints = [:]
    }
}
