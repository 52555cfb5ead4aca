import Model
import Storage

/// Calls that wait for a permit, and the order in which people are served.
extension PermitStore where Access == WriteTransaction {
    /// How long it is remembered when a person was served.
    private static var servedRetention: Duration { .seconds(600) }

    /// Calls that wait in live processes other than `process`.
    package func waitingCalls(
        for key: String, besides process: String, boot: String, now: MonotonicInstant
    ) throws -> [WaitingCalls] {
        try transaction.rows(
            """
            SELECT urgency, person, calls, weight, live_until_instant FROM permit_waiting
            WHERE key = \(key) AND process <> \(process) AND boot = \(boot) AND live_until_instant > \(now)
            ORDER BY process, urgency, person
            """
        ).map { row in
            WaitingCalls(
                urgency: try row["urgency"], person: try row["person"], calls: try row["calls"],
                weight: try row["weight"], liveUntil: try row["live_until_instant"])
        }
    }

    /// Publishes to the other processes which calls wait in `process`; replaces its earlier report.
    package func setWaitingCalls(
        _ waiting: [WaitingCalls], for key: String, process: String, boot: String, now: MonotonicInstant
    ) throws {
        // Also deletes the rows of processes that were killed, and of earlier boots.
        try transaction.run(
            """
            DELETE FROM permit_waiting
            WHERE key = \(key) AND (process = \(process) OR boot <> \(boot) OR live_until_instant <= \(now))
            """)
        for calls in waiting {
            try transaction.run(
                """
                INSERT INTO permit_waiting (key, process, urgency, person, calls, weight, boot, live_until_instant)
                VALUES (\(key), \(process), \(calls.urgency), \(calls.person), \(calls.calls), \(calls.weight), \(boot),
                    \(calls.liveUntil))
                """)
        }
    }

    // MARK: When people were served

    /// When each person was last served, if that is still remembered.
    package func permitsLastServed(
        of key: String, urgency: Int, boot: String
    ) throws -> [String: MonotonicInstant] {
        let served = try transaction.rows(
            """
            SELECT person, served_instant FROM permit_turns
            WHERE key = \(key) AND urgency = \(urgency) AND boot = \(boot)
            """
        ).map { (person: try $0["person"] as String, time: try $0["served_instant"] as MonotonicInstant) }
        return Dictionary(served.map { ($0.person, $0.time) }, uniquingKeysWith: max)
    }

    /// Stores that `people` were served at `now`, in this order.
    package func recordPermitsServed(
        of key: String, urgency: Int, people: [String], boot: String, now: MonotonicInstant
    ) throws {
        let forgotten = MonotonicInstant(microseconds: now.microseconds - Self.servedRetention.microseconds)
        try transaction.run(
            """
            DELETE FROM permit_turns
            WHERE key = \(key) AND urgency = \(urgency) AND (boot <> \(boot) OR served_instant < \(forgotten))
            """)
        for (index, person) in people.enumerated() {
            let time = now.advanced(by: .microseconds(index))
            try transaction.run(
                """
                INSERT INTO permit_turns (key, urgency, person, boot, served_instant)
                VALUES (\(key), \(urgency), \(person), \(boot), \(time))
                ON CONFLICT (key, urgency, person) DO UPDATE SET boot = excluded.boot,
                    served_instant = excluded.served_instant
                """)
        }
    }

    // MARK: Background calls

    /// The earliest moment at which the next background call may begin; `nil` if it may begin at any time.
    package func permitBackgroundStart(of key: String, boot: String) throws -> MonotonicInstant? {
        try transaction.row(
            "SELECT background_from_instant FROM permit_keys WHERE key = \(key) AND background_boot = \(boot)"
        )?["background_from_instant"] ?? nil
    }

    package func setPermitBackgroundStart(of key: String, to time: MonotonicInstant, boot: String) throws {
        try transaction.run(
            """
            UPDATE permit_keys SET background_from_instant = \(time), background_boot = \(boot) WHERE key = \(key)
            """)
    }
}
