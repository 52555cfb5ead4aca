import Model

extension ConnectionState {
    /// Applies an event to the state.
    ///
    /// Late answers from a provider do not change a connection that is no longer usable: their secrets are deleted.
    ///
    /// - Returns: the actions that the event requires, in order.
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
            // The key is retained, so that the person sees which key was refused.
            return lose(.keyRefused, [])
        case .userTokenRefused:
            return lose(.userTokenRefused, [])
        case .clientChanged:
            return lose(.clientChanged, [])
        case .consentEnded:
            return lose(.consentEnded, [])
        case .time(let now):
            pass(now)
            return []
        }
    }

    /// A working connection stays usable while its person renews the consent.
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
