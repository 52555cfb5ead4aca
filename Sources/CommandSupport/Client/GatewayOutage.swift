/// How long the gateway has been failing while a command follows something. It may be restarting.
package struct GatewayOutage {
    /// How long the gateway may be unreachable.
    static let limit = Duration.seconds(30)

    private var since: ContinuousClock.Instant?

    package init() {}

    /// Notes that the gateway has answered.
    package mutating func end() { since = nil }

    /// Notes a failed request.
    ///
    /// - Returns: whether to wait for the gateway.
    package mutating func mayPass(_ error: GatewayError, at now: ContinuousClock.Instant) -> Bool {
        let since = since ?? now
        self.since = since
        return error.isPassing && since.duration(to: now) < Self.limit
    }
}
