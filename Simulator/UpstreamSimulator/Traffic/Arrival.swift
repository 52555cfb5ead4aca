import Model

/// A request that reached an upstream, with the verdict of the limits.
package struct Arrival: Sendable {
    package enum Verdict: Sendable, Equatable {
        case admitted(DailyQuota.Status)
        case missingKey
        case unknownKey
        /// More than ``TrafficLimits/perSecond`` arrivals of this key within one second.
        case tooFast(perSecond: Int)
        case quotaExhausted(key: String)
    }

    /// The number of the request in the order of arrival, from 1.
    package var id: UInt64
    package var target: RequestTarget
    /// When its head arrived.
    package var at: MonotonicInstant
    package var verdict: Verdict
    /// The address at which the client reached the simulator. Addresses of pictures begin with it.
    package var origin = "http://127.0.0.1"
}
