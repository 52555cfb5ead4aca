import DomainEvents
import Model
import Storage
import Vault

extension ConnectionStore where Access == WriteTransaction {
    /// Applies an event to a person's connection: reads the row, stores the new state, and deletes the secrets if the
    /// event requires it. An unchanged row is not written.
    ///
    /// - Parameter edit: further changes to the row, made after the event.
    /// - Returns: the actions that are left to the caller.
    /// - Throws: ``UnknownConnectionState``, and what the database throws.
    @discardableResult
    package func handle(
        _ event: ConnectionEvent, userID: String, provider: Provider, now: Timestamp,
        edit: (inout ConnectionRecord) -> Void = { _ in }
    ) throws -> [ConnectionAction] {
        let before = try record(userID: userID, provider: provider.rawValue)
        var record = before ?? ConnectionRecord(userID: userID, provider: provider, now: now)
        // The passing of time is applied first, so that it cannot undo the event.
        var state = try record.storableState(at: now)
        var actions = state.handle(event)
        state.store(in: &record)
        edit(&record)
        if actions.contains(.forgetSecrets) {
            try transaction.vault.deleteSecrets(userID: userID, provider: provider.rawValue)
            record.forgetTokens()
            actions.removeAll { $0 == .forgetSecrets }
        }
        if record != before { try put(record, now: now) }
        try notify(of: record, before: before, provider, now: now)
        return actions
    }

    /// Notifies a person whose connection has just ended, and ends that once they have connected the provider again, or
    /// do not want it any more.
    private func notify(
        of record: ConnectionRecord, before: ConnectionRecord?, _ provider: Provider, now: Timestamp
    ) throws {
        typealias Name = ConnectionState.Name
        let (former, present) = (before.flatMap { Name(rawValue: $0.state) }, Name(rawValue: record.state))
        guard former != present else { return }
        switch present {
        case .needsReconnect where former == .connected || former == .degraded:
            try transaction.publish(
                PersonNotified(
                    recipientID: record.userID, kind: .syncNeedsMe, subject: provider.rawValue, actorID: nil,
                    itemID: "\(provider.rawValue) \(now.microseconds)", time: now))
        case .connected, .disconnected:
            try transaction.publish(
                NotificationSubjectWithdrawn(
                    recipientID: record.userID, kind: .syncNeedsMe, subject: provider.rawValue))
        default: break
        }
    }
}

extension ConnectionRecord {
    /// Clears the fields about tokens. The account is retained, so that people see which one it was, unless the person
    /// disconnected.
    mutating func forgetTokens() {
        (tokenExpiresAt, refresh, renewBy) = (nil, nil, nil)
        if state == ConnectionState.Name.disconnected.rawValue {
            (accountID, accountUserID, accountName, details) = (nil, nil, nil, nil)
            (scopes, clientID, authorizedAt) = (nil, nil, nil)
        }
    }
}
