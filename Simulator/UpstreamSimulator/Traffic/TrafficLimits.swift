/// The limits of an upstream, and its valid keys.
package struct TrafficLimits: Sendable, Equatable {
    /// The most arrivals of one key in any sliding second; refused ones also count.
    package var perSecond: Int
    /// The most requests of one key in a quota window.
    package var dailyQuota: Int
    /// The length of a quota window.
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
