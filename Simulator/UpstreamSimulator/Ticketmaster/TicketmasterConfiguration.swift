import Foundation

/// How a simulated Ticketmaster starts.
package struct TicketmasterConfiguration: Sendable {
    /// Determines the catalog, together with ``today``.
    package var seed: UInt64
    /// The first day; all shows are after it.
    package var today: LocalDay
    /// The minimum time from the arrival of a request to its answer.
    package var latency: Duration
    package var limits: TrafficLimits

    package init(
        seed: UInt64 = 1, today: LocalDay = LocalDay(Date()), latency: Duration = .milliseconds(80),
        limits: TrafficLimits = TrafficLimits()
    ) {
        self.seed = seed
        self.today = today
        self.latency = latency
        self.limits = limits
    }
}

/// The settings of `/_sim/config`. In a change, missing members stay as they are.
package struct TicketmasterSettings: Sendable, Codable, Equatable {
    package var latencyMs: Int?
    package var perSecond: Int?
    package var dailyQuota: Int?
    package var quotaWindowSeconds: Int?
    package var validKeys: [String]?

    package init(
        latencyMs: Int? = nil, perSecond: Int? = nil, dailyQuota: Int? = nil, quotaWindowSeconds: Int? = nil,
        validKeys: [String]? = nil
    ) {
        self.latencyMs = latencyMs
        self.perSecond = perSecond
        self.dailyQuota = dailyQuota
        self.quotaWindowSeconds = quotaWindowSeconds
        self.validKeys = validKeys
    }
}
