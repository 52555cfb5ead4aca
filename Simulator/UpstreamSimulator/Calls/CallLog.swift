import Model

/// The calls to one upstream since the start or the last reset: `GET /_sim/UPSTREAM/counters` and `…/arrivals`.
struct CallLog: Sendable {
    /// One line of the log. It contains no header, body or query, since these carry secrets.
    struct Entry: Sendable, Codable, Equatable {
        /// The arrival in microseconds on `CLOCK_BOOTTIME`.
        var at: Int64
        var endpoint: String
        /// The status of the answer; `nil` before the answer, or if a fault ended the connection before it.
        var status: Int?
        /// The fault that was applied.
        var fault: FaultRule.Kind?
    }

    struct Endpoint: Sendable, Codable, Equatable {
        var arrivals = 0
        /// The number of answers by status, including those that a fault lost.
        var statuses: [String: Int] = [:]
        var faults = 0
    }

    /// The most entries in the log. Older ones are removed first; the counters still include them.
    static let longestLog = 50_000

    private(set) var entries: [Entry] = []
    private(set) var endpoints: [String: Endpoint] = [:]
    /// The number of removed entries, by which a call finds its own.
    private var forgotten = 0

    /// Adds a call and returns its number.
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

    /// Stores the answer of a call.
    mutating func answer(_ number: Int, status: Int) {
        let index = number - forgotten
        guard entries.indices.contains(index) else { return }
        entries[index].status = status
        endpoints[entries[index].endpoint]?.statuses[String(status), default: 0] += 1
    }

    /// Removes all entries and counters. Calls that have no answer yet will not be counted when they are answered.
    mutating func reset() {
        forgotten += entries.count
        entries = []
        endpoints = [:]
    }
}
