/// The limits of an upstream, and its valid keys.
package struct TrafficLimits: Sendable, Equatable {
    /// Arrivals of one key in any sliding second; refused ones count, too.
    package var perSecond: Int
    /// Requests of one key in a quota window.
    package var dailyQuota: Int
    /// Length of a quota window.
    package var quotaWindow: Duration
    package var validKeys: Set<String>

    package init(
        perSecond: Int = 5, dailyQuota: Int = 5_000, quotaWindow: Duration = .seconds(86_400),
        validKeys: Set<String> = ["demo-key"]
    ) {
        self.perSecond = perSecond
        self.dailyQuota = dailyQuota
        self.quotaWindow = quotaWindow
        self.validKeys = validKeys
    }
}
