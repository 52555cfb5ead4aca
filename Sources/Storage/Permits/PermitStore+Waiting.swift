import Model

/// Calls that wait, and whose turn it is.
extension PermitStore where Access == WriteTransaction {
    /// After how long nobody asks any more when somebody was served.
    private static var turnTime: Duration { .seconds(600) }

    /// Calls that wait in live processes other than `process`.
    package func permitClaims(
        for key: String, besides process: String, boot: String, now: MonotonicInstant
    ) throws -> [PermitClaim] {
        try transaction.rows(
            """
            SELECT urgency, person, calls, weight, live_until_instant FROM permit_waiting
            WHERE key = \(key) AND process <> \(process) AND boot = \(boot) AND live_until_instant > \(now)
            ORDER BY process, urgency, person
            """
        ).map { row in
            PermitClaim(
                urgency: try row["urgency"], person: try row["person"], calls: try row["calls"],
                weight: try row["weight"], liveUntil: try row["live_until_instant"])
        }
    }

    /// Tells the other processes which calls wait in this one, for as long as it can be believed, and nothing else.
    package func setPermitClaims(
        _ claims: [PermitClaim], for key: String, process: String, boot: String, now: MonotonicInstant
    ) throws {
        // Besides this one's own: what processes left that were killed, or that lived before the machine restarted.
        try transaction.execute(
            """
            DELETE FROM permit_waiting
            WHERE key = \(key) AND (process = \(process) OR boot <> \(boot) OR live_until_instant <= \(now))
            """)
        for claim in claims {
            try transaction.execute(
                """
                INSERT INTO permit_waiting (key, process, urgency, person, calls, weight, boot, live_until_instant)
                VALUES (\(key), \(process), \(claim.urgency), \(claim.person), \(claim.calls), \(claim.weight), \(boot),
                    \(claim.liveUntil))
                """)
        }
    }

    // MARK: Turns

    /// When each person was served, where that was noted lately.
    package func permitTurns(of key: String, urgency: Int, boot: String) throws -> [String: MonotonicInstant] {
        let turns = try transaction.rows(
            """
            SELECT person, served_instant FROM permit_turns
            WHERE key = \(key) AND urgency = \(urgency) AND boot = \(boot)
            """
        ).map { (person: try $0["person"] as String, time: try $0["served_instant"] as MonotonicInstant) }
        return Dictionary(turns.map { ($0.person, $0.time) }, uniquingKeysWith: max)
    }

    /// Notes that people were served, in this order.
    package func notePermitTurns(
        of key: String, urgency: Int, people: [String], boot: String, now: MonotonicInstant
    ) throws {
        let forgotten = MonotonicInstant(microseconds: now.microseconds - Self.turnTime.microseconds)
        try transaction.execute(
            """
            DELETE FROM permit_turns
            WHERE key = \(key) AND urgency = \(urgency) AND (boot <> \(boot) OR served_instant < \(forgotten))
            """)
        for (index, person) in people.enumerated() {
            let time = now.advanced(by: .microseconds(index))
            try transaction.execute(
                """
                INSERT INTO permit_turns (key, urgency, person, boot, served_instant)
                VALUES (\(key), \(urgency), \(person), \(boot), \(time))
                ON CONFLICT (key, urgency, person) DO UPDATE SET boot = excluded.boot,
                    served_instant = excluded.served_instant
                """)
        }
    }

    // MARK: Background calls

    /// From when on the next background call may begin.
    package func permitBackgroundStart(of key: String, boot: String) throws -> MonotonicInstant? {
        try transaction.row(
            "SELECT background_from_instant FROM permit_keys WHERE key = \(key) AND background_boot = \(boot)"
        )?["background_from_instant"] ?? nil
    }

    package func setPermitBackgroundStart(of key: String, to time: MonotonicInstant, boot: String) throws {
        try transaction.execute(
            """
            UPDATE permit_keys SET background_from_instant = \(time), background_boot = \(boot) WHERE key = \(key)
            """)
    }
}
