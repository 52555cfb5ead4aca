import Model
import NotificationSources
import Storage
import Vault
import Visibility

extension NotificationStore {
    /// A person's targets, the newest first.
    package func targets(of person: PersonKey) throws -> [PushTarget] {
        try transaction.rows(
            """
            SELECT \(PushTarget.columns) FROM push_targets WHERE person = \(person)
            ORDER BY created_at DESC, id LIMIT \(PushTarget.capacity)
            """
        ).compactMap(PushTarget.init(row:))
    }

    package func target(_ id: String, of person: PersonKey) throws -> PushTarget? {
        try transaction.row(
            "SELECT \(PushTarget.columns) FROM push_targets WHERE person = \(person) AND id = \(id)"
        ).flatMap(PushTarget.init(row:))
    }
}

extension NotificationStore where Access == WriteTransaction {
    /// Adds a target, or replaces the one with the same id. Another target with the same address ends: a browser belongs
    /// to whoever posted its subscription last.
    ///
    /// - Returns: the target, and whether it is new.
    /// - Throws: ``NotificationRefusal``; `VaultError`.
    package func putTarget(
        _ target: NewPushTarget, id: String, of userID: String, credential: PushCredential,
        by sealer: some SecretSealer, now: Timestamp
    ) throws -> (target: PushTarget, isNew: Bool) {
        let person = try person(userID)
        try endOthers(of: target, but: id, of: person)
        let former = try self.target(id, of: person)
        if former == nil {
            guard try targets(of: person).count < PushTarget.capacity else {
                throw NotificationRefusal.tooManyTargets(limit: PushTarget.capacity)
            }
        } else if former?.fingerprint != target.fingerprint {
            // What waits is for another device or another service.
            try transaction.run("DELETE FROM push_intents WHERE person = \(person) AND target = \(id)")
        }
        let name = PushTarget.secretName(id: id, userID: userID)
        var sealed = try sealer.seal(target.secret, as: name, in: transaction)
        // Nobody recognizes a subscription by its end.
        sealed.hint = ""
        try transaction.vault.putSecret(
            sealed, userID: userID, provider: name.provider.rawValue, field: name.field, now: now)
        try transaction.run(
            """
            INSERT INTO push_targets (
                person, id, channel, host, fingerprint, credential, created_at, confirmed_at, sent_at, refused_at,
                paused_until)
            VALUES (
                \(person), \(id), \(target.channel.number), \(target.host), \(target.fingerprint), \(credential.text),
                \(now), \(now), NULL, NULL, NULL)
            ON CONFLICT (person, id) DO UPDATE
            SET channel = excluded.channel, host = excluded.host, fingerprint = excluded.fingerprint,
                credential = excluded.credential, confirmed_at = excluded.confirmed_at, refused_at = NULL,
                paused_until = CASE WHEN push_targets.fingerprint = excluded.fingerprint
                    THEN push_targets.paused_until ELSE NULL END
            """)
        guard let stored = try self.target(id, of: person) else { throw NotificationRefusal.unknownTarget }
        return (stored, former == nil)
    }

    private func endOthers(of target: NewPushTarget, but id: String, of person: PersonKey) throws {
        let others = try transaction.map(
            """
            SELECT person, id FROM push_targets
            WHERE fingerprint = \(target.fingerprint) AND channel = \(target.channel.number) LIMIT 100
            """
        ) { (person: try $0["person"] as PersonKey, id: try $0["id"] as String) }
        for other in others where (other.person, other.id) != (person, id) {
            // Several people may well read one ntfy topic.
            guard target.channel == .webPush || other.person == person else { continue }
            try deleteTarget(other.id, of: other.person)
        }
    }

    /// Deletes a target with its secret and what waits for it.
    ///
    /// - Throws: ``NotificationRefusal``.
    package func removeTarget(_ id: String, of userID: String) throws {
        let person = try person(userID)
        guard try deleteTarget(id, of: person) else { throw NotificationRefusal.unknownTarget }
    }

    /// - Returns: whether there was one.
    @discardableResult
    package func deleteTarget(_ id: String, of person: PersonKey) throws -> Bool {
        try transaction.run("DELETE FROM push_intents WHERE person = \(person) AND target = \(id)")
        if let userID = try transaction.visibility.userIDs(of: [person])[person] {
            let name = PushTarget.secretName(id: id, userID: userID)
            try transaction.vault.deleteSecret(name)
        }
        return try transaction.execute("DELETE FROM push_targets WHERE person = \(person) AND id = \(id)") == 1
    }

    /// Deletes targets whose session or token has ended, and browsers' subscriptions that no page has posted for long.
    ///
    /// - Parameters:
    ///   - last: looks at the targets after this one; `nil` begins with the first.
    ///   - limit: how many targets it looks at.
    /// - Returns: the last target that it looked at; `nil` after the last of all.
    package func pruneTargets(
        after last: PushTargetKey?, accounts: NotifiedAccounts, now: PruningTime, limit: Int
    ) throws -> PushTargetKey? {
        let rows = try transaction.rows(
            """
            SELECT person, \(PushTarget.columns) FROM push_targets
            WHERE (person, id) > (\(last?.person ?? PersonKey(rawValue: 0)), \(last?.id ?? ""))
            ORDER BY person, id LIMIT \(limit)
            """)
        var end: PushTargetKey?
        for row in rows {
            let key = PushTargetKey(person: try row["person"], id: try row["id"])
            end = key
            guard let target = try PushTarget(row: row) else { continue }
            let isForgotten =
                target.channel == .webPush && target.confirmedAt < now.before(PushTarget.lifetime).moment
            if try isForgotten || !isSignedIn(target, accounts) { try deleteTarget(key.id, of: key.person) }
        }
        return rows.count < limit ? nil : end
    }

    func isSignedIn(_ target: PushTarget, _ accounts: NotifiedAccounts) throws -> Bool {
        // One of a later version is left to it.
        guard let credential = target.credential else { return true }
        return try accounts.isSignedIn(transaction, credential)
    }
}

/// Names a target.
package struct PushTargetKey: Sendable, Hashable {
    package let person: PersonKey
    package let id: String
}
