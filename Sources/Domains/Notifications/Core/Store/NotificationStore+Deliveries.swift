import Model
import NotificationSources
import Push
import Storage
import Vault
import Visibility

/// What is still owed of due intents of one host.
package struct TakenPushes: Sendable {
    package var deliveries: [PushDelivery] = []
    /// The sealed addresses and keys of the targets.
    package var secrets: [PushTargetKey: SealedSecret] = [:]
    package var channels: [PushTargetKey: NotificationChannel] = [:]
    /// How many intents were dropped, since they mean nothing any more.
    package var dropped = 0
    /// How many intents it looked at.
    package var looked = 0

    package init() {}
}

extension NotificationStore {
    /// The hosts after `host` that have due intents, in the order of their names.
    package func dueHosts(after host: String, now: Timestamp, limit: Int) throws -> [String] {
        var (hosts, last): ([String], String) = ([], host)
        // Each is found by the index, whatever number of intents the one before has.
        for _ in 0..<limit {
            let next: String? = try transaction.row(
                """
                SELECT host FROM push_intents
                WHERE state = \(PushState.waiting.sql) AND host > \(last) ORDER BY host LIMIT 1
                """)?["host"]
            guard let next else { break }
            last = next
            let isDue = try transaction.row(
                """
                SELECT 1 FROM push_intents
                WHERE state = \(PushState.waiting.sql) AND host = \(next) AND due_at <= \(now) LIMIT 1
                """)
            if isDue != nil { hosts.append(next) }
        }
        return hosts
    }
}

extension NotificationStore where Access == WriteTransaction {
    /// Has what an earlier run took, and did not finish, sent again.
    package func returnTaken() throws {
        try transaction.run(
            "UPDATE push_intents SET state = \(PushState.waiting.sql) WHERE state = \(PushState.taken.sql)")
    }

    /// Takes due intents of a host that are still owed. Everything is decided here: whether the person wants it, whether
    /// it may be sent at this hour, and whether the person may see what it is about.
    package func take(
        host: String, kinds: NotificationKinds, accounts: NotifiedAccounts, now: Timestamp, limit: Int
    ) throws -> TakenPushes {
        var taken = TakenPushes()
        if let nextAt = try refusal(of: host)?.nextAt, nextAt > now {
            try transaction.run(
                """
                UPDATE push_intents SET due_at = \(nextAt)
                WHERE state = \(PushState.waiting.sql) AND host = \(host) AND channel = \(NotificationChannel.webPush.number)
                    AND due_at <= \(now)
                """)
        }
        let intents = try dueIntents(of: host, now: now, limit: limit)
        var people: [PersonKey: PushRecipient?] = [:]
        var targets: [PushTargetKey: PushTarget?] = [:]
        for intent in intents {
            taken.looked += 1
            let key = intent.target
            if people[key.person] == nil { people[key.person] = .some(try recipient(key.person, accounts, now)) }
            if targets[key] == nil { targets[key] = .some(try usableTarget(key, accounts)) }
            guard let recipient = people[key.person] ?? nil, let target = targets[key] ?? nil,
                try isOwed(intent, to: recipient, by: target, kinds: kinds, now: now)
            else {
                try finish(intent, as: .dropped, now: now)
                taken.dropped += 1
                continue
            }
            if let quietUntil = recipient.quietUntil {
                try delay(intent, until: quietUntil)
                continue
            }
            if let pausedUntil = target.pause(at: now) {
                try postpone(intent, until: pausedUntil)
                continue
            }
            try add(intent, to: recipient, of: target, to: &taken)
        }
        return taken
    }

    private func add(
        _ intent: PushIntent, to recipient: PushRecipient, of target: PushTarget, to taken: inout TakenPushes
    ) throws {
        if taken.secrets[intent.target] == nil {
            let name = PushTarget.secretName(id: target.id, userID: recipient.viewer.userID)
            taken.secrets[intent.target] = try transaction.vault.sealedSecret(
                userID: name.userID, provider: name.provider.rawValue, field: name.field)
            taken.channels[intent.target] = target.channel
        }
        try transaction.run(
            """
            UPDATE push_intents SET state = \(PushState.taken.sql)
            WHERE person = \(intent.target.person) AND group_key = \(intent.group) AND target = \(intent.target.id)
            """)
        taken.deliveries.append(
            PushDelivery(
                target: intent.target, confirmedAt: target.confirmedAt, userID: recipient.viewer.userID,
                group: intent.group, kind: intent.kind, number: intent.number, attempts: intent.attempts,
                endsAt: intent.endsAt.microseconds, hasWaited: intent.hasWaited))
    }

    private func dueIntents(of host: String, now: Timestamp, limit: Int) throws -> [PushIntent] {
        var intents = try transaction.map(
            """
            SELECT \(PushIntent.columns) FROM push_intents
            WHERE state = \(PushState.waiting.sql) AND host = \(host) AND due_at <= \(now)
            ORDER BY due_at, person, target LIMIT \(limit)
            """, PushIntent.init)
        // What has waited for the end of quiet hours is sent as one, so that none of it is left for later.
        if intents.count == limit, let last = intents.last, last.hasWaited {
            let known = Set(intents.filter { $0.target == last.target }.map(\.group))
            let rest = try transaction.map(
                """
                SELECT \(PushIntent.columns) FROM push_intents
                WHERE person = \(last.target.person) AND target = \(last.target.id) AND state = \(PushState.waiting.sql)
                    AND has_waited = 1 AND due_at <= \(now) LIMIT 1000
                """, PushIntent.init)
            intents += rest.filter { !known.contains($0.group) }
        }
        return intents
    }

    private func recipient(
        _ person: PersonKey, _ accounts: NotifiedAccounts, _ now: Timestamp
    ) throws -> PushRecipient? {
        guard let userID = try transaction.visibility.userIDs(of: [person])[person],
            let viewer = try transaction.visibility.viewer(userID: userID)
        else { return nil }
        let hours = try choices(of: person).quietHours
        return PushRecipient(
            viewer: viewer, readNumber: try mark(of: person)?.number ?? 0,
            quietUntil: try hours?.end(at: now, zone: accounts.zone(transaction, userID)))
    }

    /// The target, which is deleted if its session or token has ended.
    private func usableTarget(_ key: PushTargetKey, _ accounts: NotifiedAccounts) throws -> PushTarget? {
        guard let target = try target(key.id, of: key.person) else { return nil }
        guard try isSignedIn(target, accounts) else {
            try deleteTarget(key.id, of: key.person)
            return nil
        }
        return target
    }

    private func isOwed(
        _ intent: PushIntent, to recipient: PushRecipient, by target: PushTarget, kinds: NotificationKinds,
        now: Timestamp
    ) throws -> Bool {
        let person = recipient.viewer.key
        guard intent.endsAt > now, (recipient.quietUntil ?? now) < intent.endsAt,
            intent.number > recipient.readNumber, target.channel != .ntfy || target.refusedAt == nil,
            let source = kinds[.init(rawValue: intent.kind)],
            try channels(of: source, for: person).contains(target.channel)
        else { return false }
        return try transaction.row(
            """
            SELECT 1 FROM notification_events LEFT JOIN people ON people.key = notification_events.actor
            WHERE notification_events.person = \(person) AND notification_events.group_key = \(intent.group)
                AND notification_events.number > \(intent.sentNumber)
                AND (notification_events.actor IS NULL OR \(Facet.act.condition(for: recipient.viewer))) LIMIT 1
            """) != nil
    }
}

/// A person to whom something is to be pushed, at the moment of sending.
private struct PushRecipient {
    let viewer: Viewer
    let readNumber: Int64
    /// The end of the quiet hours; `nil` outside of them.
    let quietUntil: Timestamp?
}

/// A row of `push_intents`.
struct PushIntent {
    let target: PushTargetKey
    let group: Int64
    let kind: String
    let number: Int64
    let sentNumber: Int64
    let endsAt: Timestamp
    let attempts: Int
    let hasWaited: Bool

    static let columns: SQL = """
        person, group_key, target, kind, number, sent_number, ends_at, attempts, has_waited
        """

    init(row: Row) throws {
        target = PushTargetKey(person: try row["person"], id: try row["target"])
        group = try row["group_key"]
        kind = try row["kind"]
        number = try row["number"]
        sentNumber = try row["sent_number"]
        endsAt = try row["ends_at"]
        attempts = try row["attempts"]
        hasWaited = try row["has_waited"]
    }
}
