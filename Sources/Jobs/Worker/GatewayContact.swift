import Model

/// Decides when a worker sends heartbeats, and when it gives up its connection because the gateway does not answer.
///
/// A gateway answers heartbeats only when something is wrong. After ``silenceBeforeHello`` intervals of silence the
/// worker sends `HELLO`, which is always answered. After ``silenceBeforeReconnect`` intervals it reconnects: ZeroMQ may
/// have stopped using the connection permanently.
struct GatewayContact {
    enum Action: Equatable {
        case hello, heartbeat
        /// Close the connection and open a new one.
        case reconnect
    }

    /// Heartbeat intervals of silence before the worker asks the gateway for an answer.
    static let silenceBeforeHello = 3
    /// Heartbeat intervals of silence before the worker reconnects.
    static let silenceBeforeReconnect = 6

    private(set) var interval: Duration
    private(set) var isWelcome = false
    private var lastHeard: MonotonicInstant
    private var lastHeartbeat: MonotonicInstant

    init(interval: Duration, now: MonotonicInstant) {
        self.interval = interval
        lastHeard = now
        lastHeartbeat = now
    }

    /// Notes that a message came from the gateway.
    mutating func heard(now: MonotonicInstant) {
        lastHeard = now
    }

    mutating func welcomed(interval: Duration, now: MonotonicInstant) -> [Action] {
        self.interval = interval
        isWelcome = true
        lastHeartbeat = now
        return [.heartbeat]
    }

    /// Handles `IDENTIFY`: the gateway does not know this worker.
    mutating func unknown() -> [Action] {
        isWelcome = false
        return [.hello]
    }

    /// The actions that are due. Called every half second or heartbeat interval, whichever is shorter.
    mutating func tick(now: MonotonicInstant) -> [Action] {
        let silence = lastHeard.duration(to: now)
        if silence >= interval * Self.silenceBeforeReconnect {
            lastHeard = now
            isWelcome = false
            return [.reconnect, .hello]
        }
        guard isWelcome else { return [.hello] }
        guard lastHeartbeat.duration(to: now) >= interval else { return [] }
        lastHeartbeat = now
        return silence >= interval * Self.silenceBeforeHello ? [.heartbeat, .hello] : [.heartbeat]
    }
}
