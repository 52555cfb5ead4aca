import Model
import NotificationSources
import Storage
import Visibility

/// A push service that refuses the installation.
package struct PushRefusal: Sendable, Equatable {
    package let host: String
    package let since: Timestamp
    /// Nothing is sent to it before then.
    package let nextAt: Timestamp
    /// What it answered last: a status, and its own code if it has one.
    package let answer: String

    init(row: Row) throws {
        host = try row["host"]
        since = try row["since"]
        nextAt = try row["next_at"]
        answer = try row["answer"]
    }
}

extension NotificationStore {
    package func refusal(of host: String) throws -> PushRefusal? {
        try transaction.row("SELECT host, since, next_at, answer FROM push_refusals WHERE host = \(host)")
            .map(PushRefusal.init)
    }

    /// The push services that refuse the installation, at most 100.
    package func refusals() throws -> [PushRefusal] {
        try transaction.map(
            "SELECT host, since, next_at, answer FROM push_refusals ORDER BY host LIMIT 100", PushRefusal.init)
    }
}

extension NotificationStore where Access == WriteTransaction {
    /// How many people's targets a service has to refuse before it counts as refusing the installation, where it has
    /// that many: anybody can post a target that is refused.
    static var refusedPeople: Int { 3 }

    /// Writes that a service refuses the credentials of a delivery. With ntfy these are the person's. With Web Push they
    /// are the installation's: once the targets of several people are refused, or all targets, and none is accepted,
    /// nothing is sent to the service for an hour, then again as a test.
    ///
    /// - Returns: the refusal, if it is new.
    func refuse(
        _ delivery: PushDelivery, _ target: PushTarget, answer: String, now: Timestamp
    ) throws -> PushRefusal? {
        let person = delivery.target.person
        try transaction.run(
            "UPDATE push_targets SET refused_at = \(now) WHERE person = \(person) AND id = \(target.id)")
        guard target.channel == .webPush else {
            // They can post another token; what happened until then is in the list.
            try transaction.run(
                """
                UPDATE push_intents SET state = \(PushState.done.sql), sent_number = number, has_waited = 0
                WHERE person = \(person) AND target = \(target.id)
                """)
            return nil
        }
        let nextAt = now.advanced(by: PushTarget.refusalPause)
        try pause(target, of: person, until: nextAt)
        let known = try refusal(of: target.host)
        // A known refusal ends with the first push that is accepted.
        guard try known != nil || refusesInstallation(target.host, now: now) else { return nil }
        try transaction.run(
            """
            INSERT INTO push_refusals (host, since, next_at, answer)
            VALUES (\(target.host), \(now), \(nextAt), \(answer))
            ON CONFLICT (host) DO UPDATE SET next_at = excluded.next_at, answer = excluded.answer
            """)
        return known == nil ? try refusal(of: target.host) : nil
    }

    /// Whether a push service has refused targets of several people, or all targets, since it last accepted a push. Where
    /// it accepts some, the others were made to be refused, or are damaged.
    private func refusesInstallation(_ host: String, now: Timestamp) throws -> Bool {
        let targets: SQL = "channel = \(NotificationChannel.webPush.number) AND host = \(host)"
        let lastAccepted: Timestamp? = try transaction.row(
            "SELECT MAX(sent_at) AS last_accepted FROM push_targets WHERE \(targets) AND sent_at <= \(now)"
        )?["last_accepted"]
        let accepted = lastAccepted ?? Timestamp(microseconds: 0)
        let people: Int =
            try transaction.row(
                """
                SELECT COUNT(*) AS count FROM (
                    SELECT DISTINCT person FROM push_targets WHERE \(targets) AND refused_at > \(accepted)
                    LIMIT \(Self.refusedPeople)) AS counted
                """)?["count"] ?? 0
        if people >= Self.refusedPeople { return true }
        return try transaction.row(
            "SELECT 1 FROM push_targets WHERE \(targets) AND (refused_at IS NULL OR refused_at <= \(accepted)) LIMIT 1"
        ) == nil
    }

    /// Deletes refusals by services at which nobody has a target any more.
    package func pruneRefusals() throws {
        try transaction.run(
            """
            DELETE FROM push_refusals WHERE NOT EXISTS (
                SELECT 1 FROM push_targets
                WHERE push_targets.channel = \(NotificationChannel.webPush.number)
                    AND push_targets.host = push_refusals.host)
            """)
    }
}
