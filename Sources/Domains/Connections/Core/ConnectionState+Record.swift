import Model
import Storage

/// A row of `connections` contains a state that this version does not know.
package struct UnknownConnectionState: Error, Sendable, Equatable, CustomStringConvertible {
    package let state: String
    package let reason: String?

    package var description: String {
        "The database has a connection in the state '\(state)' with the reason '\(reason ?? "")', which this version "
            + "of Backline does not know. A later version may have written it."
    }
}

extension ConnectionState {
    /// - Throws: ``UnknownConnectionState``.
    package init(_ record: ConnectionRecord) throws(UnknownConnectionState) {
        let unknown = UnknownConnectionState(state: record.state, reason: record.reason)
        guard let name = Name(rawValue: record.state) else { throw unknown }
        switch name {
        case .disconnected: self = .disconnected
        case .connected: self = .connected
        case .authorizing:
            let reason = record.reason.map { ReconnectReason(rawValue: $0) }
            guard let until = record.until, reason != .some(.none) else { throw unknown }
            self = .authorizing(until: until, after: reason ?? nil)
        case .degraded:
            guard let trouble = record.reason.flatMap(Trouble.init) else { throw unknown }
            self = .degraded(trouble, until: record.until)
        case .needsReconnect:
            guard let reason = record.reason.flatMap(ReconnectReason.init) else { throw unknown }
            self = .needsReconnect(reason)
        }
    }

    /// Writes the state to a row.
    package func store(in record: inout ConnectionRecord) {
        record.state = name.rawValue
        (record.reason, record.until) = (nil, nil)
        switch self {
        case .disconnected, .connected: break
        case .authorizing(let until, let reason): (record.reason, record.until) = (reason?.rawValue, until)
        case .degraded(let trouble, let until): (record.reason, record.until) = (trouble.rawValue, until)
        case .needsReconnect(let reason): record.reason = reason.rawValue
        }
    }
}

extension ConnectionRecord {
    /// The first record of a connection.
    package init(userID: String, provider: Provider, now: Timestamp) {
        self.init(
            userID: userID, provider: provider.rawValue, state: ConnectionState.Name.disconnected.rawValue,
            updatedAt: now)
    }

    /// The state at a moment: the stored one, adjusted for the time that has passed since and for the configuration.
    ///
    /// The end of the consent, and a client id other than the grant's, are never stored as the connection's state: it
    /// works again as soon as a clock that was ahead is set back, or the former client id is configured again.
    ///
    /// - Parameter clientID: the client id that the grant must belong to; `nil` for providers without one.
    /// - Throws: ``UnknownConnectionState``.
    package func connectionState(
        at now: Timestamp, clientID: String?
    ) throws(UnknownConnectionState) -> ConnectionState {
        var state = try storableState(at: now)
        if let renewBy, renewBy <= now { _ = state.handle(.consentEnded) }
        if let clientID, !isGranted(to: clientID) { _ = state.handle(.clientChanged) }
        return state
    }

    /// The stored state without a pause or an attempt that has ended: the state that the next event applies to, and
    /// that may be stored with it.
    ///
    /// - Throws: ``UnknownConnectionState``.
    func storableState(at now: Timestamp) throws(UnknownConnectionState) -> ConnectionState {
        var state = try ConnectionState(self)
        _ = state.handle(.time(now))
        return state
    }

    /// Whether the grant belongs to a client id, or is not known to belong to another.
    func isGranted(to clientID: String) -> Bool {
        self.clientID == nil || self.clientID == clientID
    }
}
