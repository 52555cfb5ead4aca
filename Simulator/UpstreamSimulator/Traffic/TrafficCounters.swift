/// The counters since the start or the last reset: the answer of `GET /_sim/counters`.
package struct TrafficCounters: Sendable, Codable, Equatable {
    package enum Outcome: Sendable {
        /// A page or a document.
        case served
        /// A 400, 401 or 404.
        case refused
        case spike
        case quota
        /// An answer that a fault rule changed.
        case faulty
    }

    package struct Key: Sendable, Codable, Equatable {
        package var arrivals = 0
        package var quotaUsed = 0
        package var largestInOneSecond = 0
    }

    /// Requests whose head arrived, answered or not.
    package var arrivals = 0
    package var served = 0
    package var refused = 0
    package var spike429 = 0
    package var quota429 = 0
    package var faults = 0
    /// The most arrivals in any sliding second, across all keys.
    package var largestInOneSecond = 0
    /// The number of requests that are open now, and the most that ever were.
    package var open = 0
    package var largestOpen = 0
    /// The number of arrivals by path.
    package var paths: [String: Int] = [:]
    /// The number of arrivals by `keyword`.
    package var keywords: [String: Int] = [:]
    /// The number of arrivals by each id in `attractionId`.
    package var attractions: [String: Int] = [:]
    /// The use of each valid key.
    package var keys: [String: Key] = [:]
}
