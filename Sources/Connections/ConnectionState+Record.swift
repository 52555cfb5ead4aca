import Contracts
import Model
import Storage

/// A row of `connections` that this version of Backline cannot have written.
package struct UnknownConnectionState: Error, Sendable, Equatable, CustomStringConvertible {
    package let state: String
    package let reason: String?

    package var description: String {
        "The database holds a connection in the state '\(state)' for the reason '\(reason ?? "")', which this version "
            + "of Backline does not know. Was it written by a later one?"
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

    /// Writes the state into a row.
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
    /// A connection of which nothing was known so far.
    package init(userID: String, provider: CredentialProvider, now: Timestamp) {
        self.init(
            userID: userID, provider: provider.rawValue, state: ConnectionState.Name.disconnected.rawValue,
            updatedAt: now)
    }

    /// How it stands at a moment: what was written, and what time has done to that since.
    ///
    /// - Throws: ``UnknownConnectionState``.
    package func connectionState(at now: Timestamp) throws(UnknownConnectionState) -> ConnectionState {
        try present(at: now).state
    }

    /// The same, with what time wants to be done.
    func present(
        at now: Timestamp
    ) throws(UnknownConnectionState) -> (state: ConnectionState, actions: [ConnectionAction]) {
        var state = try ConnectionState(self)
        var actions = state.handle(.time(now))
        if let renewBy, renewBy <= now { actions += state.handle(.consentEnded) }
        return (state, actions)
    }
}
