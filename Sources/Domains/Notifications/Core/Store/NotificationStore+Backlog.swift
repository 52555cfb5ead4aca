import Model
import Storage

/// What waits to be pushed, and which services refuse the installation.
package struct PushBacklog: Sendable, Equatable {
    /// How many pushes are due, up to ``maximum``.
    package let waiting: Int
    /// Since when the first of them has been due.
    package let oldest: Timestamp?
    package let targets: Int
    package let refusals: [PushRefusal]

    package static let maximum = 10_000
}

extension NotificationStore {
    package func pushBacklog(at now: Timestamp) throws -> PushBacklog {
        let waiting: Int =
            try transaction.row(
                """
                SELECT COUNT(*) AS count FROM (
                    SELECT 1 FROM push_intents WHERE state = \(PushState.waiting.sql) AND due_at <= \(now)
                    LIMIT \(PushBacklog.maximum)) AS counted
                """)?["count"] ?? 0
        let oldest: Timestamp? = try transaction.row(
            "SELECT due_at FROM push_intents WHERE state = \(PushState.waiting.sql) AND due_at <= \(now) ORDER BY due_at LIMIT 1"
        )?["due_at"]
        return PushBacklog(
            waiting: waiting, oldest: oldest,
            targets: try transaction.row("SELECT COUNT(*) AS count FROM push_targets")?["count"] ?? 0,
            refusals: try refusals())
    }
}
