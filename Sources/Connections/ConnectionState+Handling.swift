import Model

extension ConnectionState {
    /// Takes the state from one event to the next; returns what is to be done about it.
    ///
    /// Late news about a connection that is not usable any more change nothing: they speak of secrets that are gone.
    package mutating func handle(_ event: ConnectionEvent) -> [ConnectionAction] {
        switch event {
        case .authorizationBegan(let until):
            beginAuthorization(until: until)
            return []
        case .authorizationFailed:
            endAuthorization()
            return []
        case .accepted:
            self = .connected
            return [.resumeJobs]
        case .disconnected:
            self = .disconnected
            return [.forgetSecrets]
        case .answered:
            if isUsable { self = .connected }
            return []
        case .troubled(let trouble, let until):
            if isUsable { self = .degraded(trouble, until: until) }
            return []
        case .accessTokenRefused:
            return isUsable ? [.refresh] : []
        case .grantRefused(let lostAnswer):
            return lose(lostAnswer ? .tokenLost : .revoked, [.forgetSecrets])
        case .keyRefused:
            // The key stays, so that the person sees which one it was.
            return lose(.keyRefused, [])
        case .consentEnded:
            return lose(.consentEnded, [.forgetSecrets])
        case .time(let now):
            pass(now)
            return []
        }
    }

    /// A person who renews what works keeps it until the new consent is there.
    private mutating func beginAuthorization(until: Timestamp) {
        switch self {
        case .connected, .degraded: break
        case .disconnected: self = .authorizing(until: until)
        case .authorizing(_, let reason): self = .authorizing(until: until, after: reason)
        case .needsReconnect(let reason): self = .authorizing(until: until, after: reason)
        }
    }

    private mutating func endAuthorization() {
        guard case .authorizing(_, let reason) = self else { return }
        self = reason.map { .needsReconnect($0) } ?? .disconnected
    }

    private mutating func lose(_ reason: ReconnectReason, _ actions: [ConnectionAction]) -> [ConnectionAction] {
        guard isUsable else { return [] }
        self = .needsReconnect(reason)
        return actions
    }

    private mutating func pass(_ now: Timestamp) {
        switch self {
        case .degraded(_, let until?) where until <= now: self = .connected
        case .authorizing(let until, _) where until <= now: endAuthorization()
        default: break
        }
    }
}
