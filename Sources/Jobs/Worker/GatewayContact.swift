import Model

/// When a worker speaks to its gateway, and what it does about one that does not answer.
///
/// A gateway answers heartbeats only when something is wrong. So silence is looked into with a
/// `HELLO`, which is always answered; when that stays without an answer too, the connection may be one
/// that the router ignores for good, and is made anew.
struct GatewayContact {
    enum Action: Equatable {
        case hello, heartbeat
        /// Give the connection up for a new one.
        case reconnect
    }

    /// Of silence, in heartbeat intervals, before the gateway is asked for an answer.
    static let patience = 3
    /// Of silence, in heartbeat intervals, before the connection is made anew.
    static let limit = 6

    private(set) var interval: Duration
    private(set) var isWelcome = false
    private var lastHeard: MonotonicInstant
    private var lastHeartbeat: MonotonicInstant

    init(interval: Duration, now: MonotonicInstant) {
        self.interval = interval
        lastHeard = now
        lastHeartbeat = now
    }

    /// Anything came from the gateway.
    mutating func heard(now: MonotonicInstant) {
        lastHeard = now
    }

    mutating func welcomed(interval: Duration, now: MonotonicInstant) -> [Action] {
        self.interval = interval
        isWelcome = true
        lastHeartbeat = now
        return [.heartbeat]
    }

    /// The gateway does not know this worker.
    mutating func unknown() -> [Action] {
        isWelcome = false
        return [.hello]
    }

    /// What is due; asked every half second or heartbeat interval, whichever is shorter.
    mutating func tick(now: MonotonicInstant) -> [Action] {
        let silence = lastHeard.duration(to: now)
        if silence >= interval * Self.limit {
            lastHeard = now
            isWelcome = false
            return [.reconnect, .hello]
        }
        guard isWelcome else { return [.hello] }
        guard lastHeartbeat.duration(to: now) >= interval else { return [] }
        lastHeartbeat = now
        return silence >= interval * Self.patience ? [.heartbeat, .hello] : [.heartbeat]
    }
}
