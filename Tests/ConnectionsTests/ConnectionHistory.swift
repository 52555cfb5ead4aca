import Model

@testable import Connections

/// A sequence of events, and the rules for the final state, which follow from the events alone.
struct ConnectionHistory {
    private(set) var events: [ConnectionEvent] = []
    private(set) var state = ConnectionState.disconnected
    private(set) var lastActions: [ConnectionAction] = []
    private(set) var stateBefore = ConnectionState.disconnected

    mutating func add(_ event: ConnectionEvent) {
        stateBefore = state
        lastActions = state.handle(event)
        events.append(event)
    }

    /// The rule that the final state breaks; `nil` when it breaks none.
    var fault: String? {
        if state.isUsable != isConnectedByItsWords { return "it is \(isConnectedByItsWords ? "not " : "")usable" }
        if case .needsReconnect(let reason) = state, reason != lossReason { return "the reason is another" }
        if stateBefore.isUsable, !state.isUsable, events.last.map(Self.mayEnd) != true { return "it was lost" }
        if lastActions.contains(.forgetSecrets), state.isUsable { return "its secrets are gone" }
        if case .accepted? = events.last, lastActions != [.resumeJobs] { return "nobody learns that it is back" }
        if case .disconnected? = events.last, lastActions != [.forgetSecrets] { return "its secrets stay" }
        if lastActions == [.refresh], !state.isUsable { return "it refreshes a token that it does not have" }
        if case .degraded = state, !hadTrouble { return "there was no trouble" }
        if case .authorizing = state, !isUnderWay { return "nobody authorizes" }
        return nil
    }

    /// Whether the last decisive event is that the connection was accepted.
    private var isConnectedByItsWords: Bool {
        let decisive = events.last { event in
            if case .accepted = event { return true }
            return Self.mayEnd(event)
        }
        return decisive == .accepted
    }

    /// The reason of the first loss since the connection was last accepted; `nil` if it has been disconnected since.
    private var lossReason: ConnectionState.ReconnectReason? {
        guard let start = events.lastIndex(of: .accepted) else { return nil }
        for event in events[start...] {
            switch event {
            case .grantRefused(let lostAnswer): return lostAnswer ? .tokenLost : .revoked
            case .keyRefused: return .keyRefused
            case .userTokenRefused: return .userTokenRefused
            case .consentEnded: return .consentEnded
            case .clientChanged: return .clientChanged
            case .disconnected: return nil
            default: continue
            }
        }
        return nil
    }

    /// Whether there was a failure since the last success.
    private var hadTrouble: Bool {
        for event in events.reversed() {
            switch event {
            case .troubled: return true
            case .accepted, .answered: return false
            default: continue
            }
        }
        return false
    }

    /// Whether an authorization has begun and has neither ended nor expired.
    private var isUnderWay: Bool {
        guard let start = events.lastIndex(where: { if case .authorizationBegan = $0 { true } else { false } }),
            case .authorizationBegan(let until) = events[start]
        else { return false }
        return !events[start...].contains { event in
            switch event {
            case .authorizationFailed, .accepted, .disconnected: true
            case .time(let now): now >= until
            default: false
            }
        }
    }

    /// Whether an event may end a connection: the person disconnects, the provider refuses, the client id changes, or
    /// the consent ends.
    private static func mayEnd(_ event: ConnectionEvent) -> Bool {
        switch event {
        case .disconnected, .grantRefused, .keyRefused, .userTokenRefused, .clientChanged, .consentEnded: true
        default: false
        }
    }
}
