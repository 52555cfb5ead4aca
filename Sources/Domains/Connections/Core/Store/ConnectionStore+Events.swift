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
        return actions
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
