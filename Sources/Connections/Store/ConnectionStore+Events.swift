import Contracts
import Model
import Storage
import Vault

extension ConnectionStore where Access == WriteTransaction {
    /// Takes a person's connection through an event: reads it, stores what became of it, and forgets its secrets if
    /// the event says so. What is left to be done is returned.
    ///
    /// - Parameter edit: further changes of the row, made after the event.
    /// - Throws: ``UnknownConnectionState``, and what the database throws.
    @discardableResult
    package func handle(
        _ event: ConnectionEvent, userID: String, provider: CredentialProvider, now: Timestamp,
        edit: (inout ConnectionRecord) -> Void = { _ in }
    ) throws -> [ConnectionAction] {
        let before = try record(userID: userID, provider: provider.rawValue)
        var record = before ?? ConnectionRecord(userID: userID, provider: provider, now: now)
        // Time goes first, so that it does not undo what happens now.
        var (state, actions) = try record.present(at: now)
        // The secrets of what time has ended are replaced already by those of what is accepted.
        if event == .accepted { actions.removeAll { $0 == .forgetSecrets } }
        actions += state.handle(event)
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
    /// Forgets what is known of tokens; the account stays, for people to know which one it was.
    mutating func forgetTokens() {
        (tokenExpiresAt, refresh, renewBy) = (nil, nil, nil)
        if state == ConnectionState.Name.disconnected.rawValue {
            (accountID, accountName, details, scopes, authorizedAt) = (nil, nil, nil, nil, nil)
        }
    }
}
